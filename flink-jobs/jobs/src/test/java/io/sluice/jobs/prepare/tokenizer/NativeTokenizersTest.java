package io.sluice.jobs.prepare.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeTokenizersTest {
  @TempDir Path directory;

  @Test
  void jobsWithClassLoadersOfTheirOwnLoadTheLibraryInOneVirtualMachine() throws Exception {
    Path file = Files.writeString(directory.resolve("tokenizer.json"), words());
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    for (int job = 0; job < 3; job++) {
      try (URLClassLoader classes = new URLClassLoader(classPath(), platform())) {
        assertThat(encoded(classes, "file:" + file)).isEqualTo(new byte[] {1, 0, 2, 0});
      }
    }
    try (Tokenizer own = Tokenizers.forName("file:" + file)) {
      assertThat(TokenizersTest.ids(own, "hello world")).containsExactly(1, 2);
    }
    assertThat(System.getProperty("RUST_LIBRARY_PATH")).isNull();
    assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(context);
  }

  private static byte[] encoded(ClassLoader classes, String name) throws Exception {
    Class<?> tokenizers = classes.loadClass(Tokenizers.class.getName());
    assertThat(tokenizers).isNotSameAs(Tokenizers.class);
    Object tokenizer = tokenizers.getMethod("forName", String.class).invoke(null, name);
    Class<?> tokenizerType = classes.loadClass(Tokenizer.class.getName());
    Object tokens =
        tokenizerType.getMethod("encode", String.class).invoke(tokenizer, "hello world");
    tokenizerType.getMethod("close").invoke(tokenizer);
    return (byte[]) tokens;
  }

  private static URL[] classPath() throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    StringTokenizer entries =
        new StringTokenizer(System.getProperty("java.class.path"), File.pathSeparator);
    while (entries.hasMoreTokens()) {
      urls.add(Path.of(entries.nextToken()).toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }

  private static ClassLoader platform() {
    return ClassLoader.getPlatformClassLoader();
  }

  private static String words() {
    return """
    {"version": "1.0", "truncation": null, "padding": null,
     "added_tokens": [{"id": 0, "content": "</s>", "single_word": false, "lstrip": false,
       "rstrip": false, "normalized": false, "special": true}],
     "normalizer": null, "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": null,
     "decoder": null,
     "model": {"type": "WordLevel", "vocab": {"</s>": 0, "hello": 1, "world": 2},
       "unk_token": "</s>"}}""";
  }
}
