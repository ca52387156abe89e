import Interception

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Refuses a link-local address whose zone names no interface of this machine.
///
/// libcurl ignores such a zone. Before 8.21 the system then refuses to connect. Newer versions use the zone
/// of the first interface that has a link-local address, so that the request would be sent to a host of
/// another link.
///
/// Affected: 8.21 and newer (pull request 21728 of May 2026; seen on 8.23.0). Delete this once libcurl fails
/// a transfer whose zone it does not find.
enum UnknownZone {
  static func isReplaced(by library: LoadedLibrary) -> Bool { library.version >= LibraryVersion(8, 21) }

  /// Checks the address that a request is sent to: that of the proxy, the connect target or the URL.
  static func check(
    _ plan: RequestPlan, target: ConnectTarget?, isInterface: (String) -> Bool = isInterface
  ) throws(NetworkError) {
    let address = plan.site.options.proxy?.host ?? target?.address ?? plan.origin.host
    guard address.utf8.contains(UInt8(ascii: "%")) else { return }
    let text = address.hasPrefix("[") ? address.dropFirst().dropLast() : Substring(address)
    // The plan has checked the address.
    guard let zone = (try? ScopedAddress(text))?.zone, !isInterface(zone) else { return }
    throw NetworkError(
      .connect,
      "The address \(text) of the request to \(plan.origin) names the interface \"\(zone)\", which this machine does "
        + "not have; correct the zone.")
  }

  /// Whether a zone is the name of an interface, or a number, which libcurl and the system take as it is.
  static func isInterface(_ zone: String) -> Bool {
    unsafe UInt32(zone) != nil || if_nametoindex(zone) != 0
  }
}
