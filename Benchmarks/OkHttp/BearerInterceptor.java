import java.io.IOException;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;

/** Adds a token to the requests to one origin. */
final class BearerInterceptor implements Interceptor {
  private final String value;
  private final HttpUrl origin;

  BearerInterceptor(String token, HttpUrl origin) {
    value = "Bearer " + token;
    this.origin = origin;
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    Request request = chain.request();
    HttpUrl url = request.url();
    boolean applies =
        url.port() == origin.port() && url.host().equals(origin.host()) && url.scheme().equals(origin.scheme());
    return chain.proceed(applies ? request.newBuilder().header("Authorization", value).build() : request);
  }
}
