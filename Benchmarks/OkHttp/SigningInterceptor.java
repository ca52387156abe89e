import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;
import okio.Buffer;
import okio.ByteString;

/** Our default signature, of requests without content; {@link #check} compares it with the shared vectors. */
final class SigningInterceptor implements Interceptor {
  private static final String LABEL = "SWITCHYARD-HMAC-SHA256-V2";
  private static final List<String> USUAL_FIELDS = Arrays.asList("authorization", "content-type");
  private static final List<String> OVERRIDES =
      Arrays.asList("x-http-method-override", "x-http-method", "x-method-override");
  private static final ByteString EMPTY_DIGEST = ByteString.EMPTY.sha256();

  private final String keyID;
  private final byte[] secret;
  private final List<String> covering;
  private final SecureRandom random = new SecureRandom();
  /** The code of the present day in each thread, with its key. */
  private final ThreadLocal<DailyCode> code = new ThreadLocal<>();

  private static final class DailyCode {
    long day;
    Mac mac;
  }

  SigningInterceptor(String keyID, byte[] secret) {
    this(keyID, secret, USUAL_FIELDS);
  }

  private SigningInterceptor(String keyID, byte[] secret, List<String> covering) {
    this.keyID = keyID;
    this.secret = secret;
    this.covering = covering;
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    Request request = chain.request();
    HttpUrl url = request.url();
    byte[] nonce = new byte[16];
    random.nextBytes(nonce);
    boolean isDefault = url.port() == HttpUrl.defaultPort(url.scheme());
    String query = url.encodedQuery();
    return chain.proceed(
        request
            .newBuilder()
            .headers(
                signed(
                    request.method(),
                    isDefault ? url.host() : url.host() + ":" + url.port(),
                    query == null ? url.encodedPath() : url.encodedPath() + "?" + query,
                    request.headers(),
                    System.currentTimeMillis() / 1_000,
                    ByteString.of(nonce)))
            .build());
  }

  /** Returns the fields with those of the signature. */
  private Headers signed(
      String method, String authority, String path, Headers fields, long time, ByteString nonce) {
    List<String> names = new ArrayList<>();
    List<String> values = new ArrayList<>();
    for (List<String> list : Arrays.asList(covering, OVERRIDES)) {
      for (String name : list) {
        List<String> lines = fields.values(name);
        if (lines.isEmpty() || names.contains(name)) continue;
        names.add(name);
        values.add(String.join(name.equals("cookie") ? "; " : ", ", lines));
      }
    }
    Buffer message = new Buffer();
    append(message, LABEL);
    append(message, keyID);
    append(message, Long.toString(time));
    append(message, nonce);
    append(message, method);
    append(message, canonical(authority));
    append(message, "");
    append(message, path);
    append(message, EMPTY_DIGEST);
    append(message, String.join(" ", names));
    for (String value : values) append(message, value);
    Headers.Builder builder =
        fields
            .newBuilder()
            .add("Switchyard-Key", keyID)
            .add("Switchyard-Time", Long.toString(time))
            .add("Switchyard-Nonce", nonce.hex());
    if (!names.isEmpty()) builder.add("Switchyard-Fields", String.join(" ", names));
    byte[] signature = code(time / 86_400).doFinal(message.readByteArray());
    return builder.add("Switchyard-Signature", "v2." + ByteString.of(signature).hex()).build();
  }

  private static void append(Buffer buffer, String text) {
    append(buffer, ByteString.encodeUtf8(text));
  }

  private static void append(Buffer buffer, ByteString bytes) {
    buffer.writeLong(bytes.size()).write(bytes);
  }

  /** Lower case, and no port that is empty, 80 or 443. */
  private static String canonical(String authority) {
    String lower = authority.toLowerCase(Locale.ROOT);
    int colon = lower.lastIndexOf(':');
    if (colon < 0 || lower.indexOf(']', colon) >= 0) return lower;
    String port = lower.substring(colon + 1);
    return port.isEmpty() || port.equals("80") || port.equals("443") ? lower.substring(0, colon) : lower;
  }

  /** Returns the code with the key of a day, HKDF-SHA256 (RFC 5869) of 32 bytes. */
  private Mac code(long day) {
    DailyCode present = code.get();
    if (present != null && present.day == day) return present.mac;
    present = new DailyCode();
    present.day = day;
    Buffer info = new Buffer();
    append(info, LABEL);
    append(info, keyID);
    append(info, Long.toString(day));
    info.writeByte(1);
    present.mac = mac(mac(mac(new byte[32]).doFinal(secret)).doFinal(info.readByteArray()));
    code.set(present);
    return present.mac;
  }

  private static Mac mac(byte[] key) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac;
    } catch (GeneralSecurityException error) {
      throw new IllegalStateException(error);
    }
  }

  // What the file has on each line, of which some have parts that this signer does not.
  private static final Pattern VECTOR =
      Pattern.compile(
          "\\{\"name\": \"([^\"]*)\", \"keyID\": \"([^\"]*)\", \"secret\": \"([^\"]*)\", \"time\": (\\d+), "
              + "\"nonce\": \"([^\"]*)\", \"method\": \"(GET)\", \"authority\": \"([^\"]*)\", \"api\": null, "
              + "\"path\": \"([^\"]*)\", \"fields\": \\[(.*)\\], \"covering\": \\[(.*)\\], \"body\": \"\", .*"
              + "\\[\"Switchyard-Signature\", \"([^\"]*)\"\\]\\]\\},?");
  private static final Pattern FIELD = Pattern.compile("\\[\"([^\"]*)\", \"([^\"]*)\"\\]");
  private static final Pattern NAME = Pattern.compile("\"([^\"]*)\"");

  /** Throws unless the signatures of a file with the shared vectors are those that this class makes. */
  static void check(Path vectors) throws IOException {
    int checked = 0;
    boolean hasToken = false;
    for (String line : Files.readAllLines(vectors, StandardCharsets.UTF_8)) {
      Matcher vector = VECTOR.matcher(line.trim());
      if (line.contains("\\") || !vector.matches()) continue;
      Headers.Builder fields = new Headers.Builder();
      for (Matcher field = FIELD.matcher(vector.group(9)); field.find(); ) {
        fields.addUnsafeNonAscii(field.group(1), field.group(2));
      }
      List<String> covering = new ArrayList<>();
      for (Matcher name = NAME.matcher(vector.group(10)); name.find(); ) {
        covering.add(name.group(1).toLowerCase(Locale.ROOT));
      }
      SigningInterceptor signer =
          new SigningInterceptor(vector.group(2), ByteString.decodeHex(vector.group(3)).toByteArray(), covering);
      String signature =
          signer
              .signed(
                  vector.group(6), vector.group(7), vector.group(8), fields.build(),
                  Long.parseLong(vector.group(4)), ByteString.decodeHex(vector.group(5)))
              .get("Switchyard-Signature");
      if (!vector.group(11).equals(signature)) {
        throw new IllegalStateException("the signature of \"" + vector.group(1) + "\" is " + signature);
      }
      checked++;
      hasToken |= fields.get("Authorization") != null;
    }
    if (!hasToken) {
      throw new IllegalStateException(vectors + " has no vector of a GET with a token, of " + checked);
    }
  }
}
