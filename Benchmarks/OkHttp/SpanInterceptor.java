import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;

/** A span with the attributes of an HTTP client, and a duration, which are discarded once they are complete. */
final class SpanInterceptor implements Interceptor {
  private final LongAdder nanoseconds = new LongAdder();

  private static final class Span {
    final long start = System.nanoTime();
    final Map<String, Object> attributes = new HashMap<>();
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    Request request = chain.request();
    Span span = new Span();
    span.attributes.put("http.request.method", request.method());
    span.attributes.put("url.full", request.url().toString());
    span.attributes.put("server.address", request.url().host());
    span.attributes.put("server.port", request.url().port());
    try {
      Response response =
          chain.proceed(
              request
                  .newBuilder()
                  // That of our tracer, which discards the spans as well.
                  .header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                  .build());
      span.attributes.put("http.response.status_code", response.code());
      span.attributes.put("network.protocol.version", response.protocol().toString());
      return response;
    } catch (IOException error) {
      span.attributes.put("error.type", error.getClass().getName());
      throw error;
    } finally {
      nanoseconds.add(System.nanoTime() - span.start);
    }
  }
}
