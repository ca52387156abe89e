import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;

/** Two lines for each request in a file, those of HttpLoggingInterceptor at its level BASIC. */
final class LogInterceptor implements Interceptor, AutoCloseable {
  private final BufferedWriter file;

  LogInterceptor(Path path) throws IOException {
    file = Files.newBufferedWriter(path);
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    Request request = chain.request();
    write("--> " + request.method() + " " + request.url());
    long start = System.nanoTime();
    Response response;
    try {
      response = chain.proceed(request);
    } catch (IOException error) {
      write("<-- HTTP FAILED: " + error);
      throw error;
    }
    long milliseconds = (System.nanoTime() - start) / 1_000_000;
    write(
        "<-- " + response.code() + " " + response.message() + " " + response.request().url() + " (" + milliseconds
            + "ms, " + response.body().contentLength() + "-byte body)");
    return response;
  }

  private synchronized void write(String line) throws IOException {
    file.write(line);
    file.write('\n');
  }

  @Override
  public synchronized void close() throws IOException {
    file.close();
  }
}
