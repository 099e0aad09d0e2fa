# The jobs on Flink. Build it with the folder of the jar as context.
ARG BASE=flink:2.2.1-java17
FROM ${BASE}

# Plugins that Flink's image would copy when it starts, onto a root that may be read-only.
RUN mkdir -p /opt/flink/plugins/s3-fs-hadoop /opt/flink/usrlib \
    && cp /opt/flink/opt/flink-s3-fs-hadoop-*.jar /opt/flink/plugins/s3-fs-hadoop/ \
    && install -d -o 9999 -g 9999 /var/lib/sluice
COPY sluice-jobs-*-flink.jar /opt/flink/usrlib/sluice-jobs.jar

# Tokenizers and their native library are kept where a process may always write.
ENV SLUICE_CACHE=/tmp/sluice \
    DJL_CACHE_DIR=/tmp/djl
USER 9999:9999
