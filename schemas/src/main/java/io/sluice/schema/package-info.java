/** Records on the wire: generated Avro types, the codec, topic names, the stream header. */
@NullMarked
package io.sluice.schema;

import org.jspecify.annotations.NullMarked;
