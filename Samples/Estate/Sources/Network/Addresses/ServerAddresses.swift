import Switchyard
import Synchronization

/// The addresses of the server: the app's list of them, and what is known about each.
///
/// The list begins with what the app was installed with. It is refreshed once a day, when no address is
/// reached, and after a change of the network, and is used at once at the next start.
package final class ServerAddresses: KnownServerAddresses {
  let bypass: DNSBypassInterceptor
  private let list: AddressListRefresher
  private let watch: NetworkWatch
  private let logger: Logger

  /// Creates the addresses of the sample's server.
  ///
  /// - Parameters:
  ///   - file: The path of the file that keeps the list; with `nil` it ends with the app.
  ///   - dispatcher: Fetches the list, and opens new connections after a change of the network.
  /// - Throws: `AddressTableIssue` or `PipelineIssue`.
  init(
    port: Int, file: String?, key: AddressListKey, dispatcher: CurlDispatcher, network: any NetworkSource,
    logger: Logger
  ) throws {
    let bypass = DNSBypassInterceptor(try .estate(port: port))
    // Without the bypass, and by a name that the list doesn't have, so that a wrong list doesn't prevent a
    // right one.
    let source = try Pipeline(over: dispatcher) {}
    let list = AddressListRefresher(
      bypass, file: file, allowing: [.loopback], verify: { try key.content(of: $0) },
      onReport: { report in
        switch report {
        case .restored(let hosts): logger.info("the stored list of addresses has \(hosts) hosts")
        case .refreshed(let hosts): logger.info("the server's list of addresses has \(hosts) hosts")
        case .failed(let error): logger.warning("\(error)")
        case .setAside(let path): logger.warning("the stored list of addresses was set aside as \(path)")
        }
      }
    ) {
      let response = try await source.send(Request(authority: "localhost:\(port)", path: "/v1/addresses"))
      guard response.status == .ok else {
        throw NetworkError(.rejected, "The server responded with status \(response.status.code).")
      }
      return try await response.body.collect(upTo: 64 << 10)
    }
    watch = NetworkWatch(NetworkMonitor(source: network)) {
      // First the connections, so that the list isn't fetched over one of the former network.
      dispatcher.networkDidChange()
      bypass.networkDidChange()
      list.networkDidChange()
      Task { await Self.openConnections(bypass, dispatcher, logger) }
    }
    self.bypass = bypass
    self.list = list
    self.logger = logger
  }

  /// Opens a connection to each address of the server, so that the next request waits for no handshake.
  private static func openConnections(
    _ bypass: DNSBypassInterceptor, _ dispatcher: CurlDispatcher, _ logger: Logger
  ) async {
    for request in bypass.requestPerAddress(Request(authority: Service.estateHost, path: "/")) {
      let address = request.context.connectTarget.map { "\($0)" } ?? Service.estateHost
      do {
        try await dispatcher.connect(for: request)
        logger.info("a connection to \(address) is open after the change of the network")
      } catch {
        logger.info("no connection to \(address) after the change of the network: \(error)")
      }
    }
  }

  /// Uses the stored list, measures the addresses in the background, so that the first request already goes
  /// to the fastest one, and follows the list and the network from now on.
  package func start() {
    list.start()
    measure()
    do {
      try watch.start()
    } catch {
      logger.warning("changes of the network are not noticed: \(error)")
    }
  }

  package func measure() { bypass.probeAll() }

  package func statuses(of authority: String) -> [ServerAddress] {
    bypass.statuses(of: authority).map { status in
      ServerAddress(
        address: "\(status.target)", connectTime: status.connectTime, failures: status.failures,
        pause: status.circuitOpenFor)
    }
  }

  package var networkLine: String { watch.line }
}

extension AddressTable {
  /// The addresses of the sample's server with which an installed app starts, at a port of this machine.
  static func estate(port: Int) throws -> AddressTable {
    let both = ["127.0.0.1:\(port)", "127.0.0.2:\(port)"]
    return try AddressTable(
      [Service.estateHost: both, Service.stagingHost: both, Service.strangerHost: [both[0]]],
      allowing: [.loopback])
  }
}
