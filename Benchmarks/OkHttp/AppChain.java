import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import okhttp3.Cache;
import okhttp3.OkHttpClient;
import okhttp3.Request;

/**
 * The duties of our {@code app-chain} over OkHttp: cookies, a token, a signature, a log in a file, a span, a table of
 * addresses, and a cache; redirects, retries and decompression are OkHttp's own.
 */
final class AppChain implements AutoCloseable {
  private static final byte[] SECRET = new byte[32];

  static {
    Arrays.fill(SECRET, (byte) 7);
  }

  private final Path folder;
  private final LogInterceptor log;
  private final Cache cache;

  /**
   * Creates the files of the chain in the memory of the system, so that no disk is measured.
   *
   * @param isCaching whether responses are cached, in at most as many bytes as our cache in memory has
   */
  AppChain(boolean isCaching) throws IOException {
    folder = Files.createTempDirectory(Path.of("/dev/shm"), "okhttp-peer");
    log = new LogInterceptor(folder.resolve("log.txt"));
    cache = isCaching ? new Cache(new File(folder.toFile(), "cache"), 64 << 20) : null;
  }

  /** Adds the chain to a client that sends requests like {@code request}. */
  void add(OkHttpClient.Builder builder, Request request) {
    builder
        .dns(new AddressTable(request.url().host(), "127.0.0.1"))
        .cookieJar(new MemoryCookieJar())
        .cache(cache)
        .addInterceptor(log)
        .addInterceptor(new SpanInterceptor())
        .addInterceptor(new BearerInterceptor("dG9rZW4tb2YtdGhlLWJlbmNobWFyaw", request.url()))
        // A network interceptor: like ours, it signs what leaves the device, after the cache.
        .addNetworkInterceptor(new SigningInterceptor("benchmark", SECRET));
  }

  @Override
  public void close() throws IOException {
    log.close();
    if (cache != null) cache.delete();
    Files.deleteIfExists(folder.resolve("log.txt"));
    Files.deleteIfExists(folder.resolve("cache"));
    Files.deleteIfExists(folder);
  }
}
