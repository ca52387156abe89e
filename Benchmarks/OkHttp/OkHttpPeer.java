import java.io.FileInputStream;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import okhttp3.ConnectionPool;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;

/** The same loads over OkHttp: blocking calls of one client, with a thread per request in flight. */
public final class OkHttpPeer {
  private static final AtomicLong bytes = new AtomicLong();
  private static final AtomicLong answered = new AtomicLong();
  private static final AtomicLong failed = new AtomicLong();
  private static final AtomicReference<String> failure = new AtomicReference<>();
  private static final AtomicLong lastNumber = new AtomicLong();
  private static volatile String protocol = "-";
  private static boolean isNumbered = false;

  public static void main(String[] arguments) throws Exception {
    Map<String, String> options = new HashMap<>();
    for (int index = 0; index + 1 < arguments.length; index += 2) {
      options.put(arguments[index], arguments[index + 1]);
    }
    double seconds = options.containsKey("--chain") ? chain(options) : wire(options);
    if (failure.get() != null) System.err.println("OkHttpPeer: the first failure: " + failure.get());
    System.out.println(
        "answered=" + answered + " failed=" + failed + " bytes=" + bytes + " seconds=" + seconds
            + " protocol=" + protocol + " peak-kib=" + peakKibibytes());
    System.exit(0);
  }

  private static double wire(Map<String, String> options) throws Exception {
    int inFlight = Integer.parseInt(options.get("--in-flight"));
    OkHttpClient.Builder builder =
        new OkHttpClient.Builder()
            .connectionPool(new ConnectionPool(inFlight, 5, TimeUnit.MINUTES))
            .readTimeout(20, TimeUnit.SECONDS)
            .callTimeout(20, TimeUnit.SECONDS);
    if (options.containsKey("--authorities")) trust(builder, options.get("--authorities"));
    Request request = new Request.Builder().url(options.get("--url")).build();
    AppChain chain = null;
    if (options.containsKey("--app-chain")) {
      SigningInterceptor.check(Path.of(options.get("--vectors")));
      chain = new AppChain(options.get("--app-chain").equals("caching"));
      chain.add(builder, request);
      isNumbered = true;
    }
    OkHttpClient client = builder.build();
    try {
      send(client, request, inFlight, Long.parseLong(options.getOrDefault("--warm-up", "0")));
      bytes.set(0);
      answered.set(0);
      return send(client, request, inFlight, Long.parseLong(options.get("--requests")));
    } finally {
      if (chain != null) chain.close();
    }
  }

  /** Returns the request, with a query of its own if no two may be identical. */
  private static Request next(Request request) {
    if (!isNumbered) return request;
    HttpUrl url = request.url().newBuilder().query("page=" + lastNumber.incrementAndGet()).build();
    return request.newBuilder().url(url).build();
  }

  private static double send(OkHttpClient client, Request request, int inFlight, long count)
      throws InterruptedException {
    AtomicLong left = new AtomicLong(count);
    Thread[] senders = new Thread[inFlight];
    long start = System.nanoTime();
    for (int index = 0; index < inFlight; index++) {
      senders[index] = new Thread(() -> sendAll(client, request, left));
      senders[index].start();
    }
    for (Thread sender : senders) sender.join();
    return (System.nanoTime() - start) / 1e9;
  }

  private static void sendAll(OkHttpClient client, Request request, AtomicLong left) {
    long ownBytes = 0;
    long ownAnswered = 0;
    while (left.decrementAndGet() >= 0) {
      try (Response response = client.newCall(next(request)).execute()) {
        byte[] body = response.body().bytes();
        if (response.code() != 200) throw new IllegalStateException("the status is " + response.code());
        ownBytes += body.length;
        ownAnswered++;
        if (ownAnswered == 1) protocol = response.protocol() == Protocol.HTTP_2 ? "h2" : "h1";
      } catch (Exception error) {
        failed.incrementAndGet();
        failure.compareAndSet(null, error.toString());
      }
    }
    bytes.addAndGet(ownBytes);
    answered.addAndGet(ownAnswered);
  }

  /**
   * Measures six application interceptors that only proceed, or none, before one that responds in place of the
   * network, in processor time of this thread.
   */
  private static double chain(Map<String, String> options) throws Exception {
    OkHttpClient.Builder builder = new OkHttpClient.Builder();
    if (options.get("--chain").equals("six-passing")) {
      // Each lambda is a class of its own, as six real interceptors would be; the compiler optimizes by class.
      builder.addInterceptor(chain -> chain.proceed(chain.request()));
      builder.addInterceptor(chain -> chain.proceed(chain.request()));
      builder.addInterceptor(chain -> chain.proceed(chain.request()));
      builder.addInterceptor(chain -> chain.proceed(chain.request()));
      builder.addInterceptor(chain -> chain.proceed(chain.request()));
      builder.addInterceptor(chain -> chain.proceed(chain.request()));
    }
    ResponseBody body = ResponseBody.create(MediaType.get("application/json"), new byte[32]);
    builder.addInterceptor(
        chain ->
            new Response.Builder()
                .request(chain.request())
                .protocol(Protocol.HTTP_1_1)
                .code(200)
                .message("OK")
                .body(body)
                .build());
    OkHttpClient client = builder.build();
    Request request = new Request.Builder().url("https://api.example.com/v1/houses?page=1").build();
    long count = Long.parseLong(options.get("--requests"));
    call(client, request, Long.parseLong(options.getOrDefault("--warm-up", "0")));
    answered.set(0);
    return call(client, request, count);
  }

  private static double call(OkHttpClient client, Request request, long count) throws Exception {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    for (long index = 0; index < count; index++) {
      if (client.newCall(request).execute().code() != 200) throw new IllegalStateException("not 200");
    }
    answered.addAndGet(count);
    return (threads.getCurrentThreadCpuTime() - start) / 1e9;
  }

  private static void trust(OkHttpClient.Builder builder, String file) throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream input = new FileInputStream(file)) {
      int number = 0;
      for (Certificate authority : CertificateFactory.getInstance("X.509").generateCertificates(input)) {
        store.setCertificateEntry("authority" + number++, authority);
      }
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    builder.sslSocketFactory(
        context.getSocketFactory(), (X509TrustManager) factory.getTrustManagers()[0]);
  }

  private static long peakKibibytes() throws Exception {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmHWM:")) return Long.parseLong(line.replaceAll("[^0-9]", ""));
    }
    return 0;
  }
}
