import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import okhttp3.Cookie;
import okhttp3.CookieJar;
import okhttp3.HttpUrl;

/** Cookies in memory; the servers of the benchmarks set none. */
final class MemoryCookieJar implements CookieJar {
  private final Map<String, Cookie> cookies = new LinkedHashMap<>();

  @Override
  public synchronized void saveFromResponse(HttpUrl url, List<Cookie> received) {
    for (Cookie cookie : received) {
      cookies.put(cookie.name() + ";" + cookie.domain() + ";" + cookie.path(), cookie);
    }
  }

  @Override
  public synchronized List<Cookie> loadForRequest(HttpUrl url) {
    if (cookies.isEmpty()) return Collections.emptyList();
    long now = System.currentTimeMillis();
    List<Cookie> found = new ArrayList<>();
    for (Cookie cookie : cookies.values()) {
      if (cookie.expiresAt() > now && cookie.matches(url)) found.add(cookie);
    }
    return found;
  }
}
