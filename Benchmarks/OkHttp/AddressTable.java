import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import okhttp3.Dns;

/** Addresses of hosts that the app knows; others are looked up. */
final class AddressTable implements Dns {
  private final Map<String, String> addresses;

  AddressTable(String host, String address) {
    addresses = Collections.singletonMap(host, address);
  }

  @Override
  public List<InetAddress> lookup(String host) throws UnknownHostException {
    String address = addresses.get(host);
    if (address == null) return Dns.SYSTEM.lookup(host);
    return Arrays.asList(InetAddress.getByAddress(host, InetAddress.getByName(address).getAddress()));
  }
}
