public import CurlTransport
import HTTPTypes
public import Interception
public import PeerReporting
import Synchronization

/// A load over ``CurlDispatcher``, directly or through a pipeline.
public enum WireLoad {
  /// Creates a dispatcher that sends the whole load at once, as the peers do.
  ///
  /// The number of streams per connection is the default: for each stream beyond a server's limit, libcurl
  /// opens another connection.
  public static func dispatcher(
    inFlight: Int, authorities: String?, spinning: Bool = true
  ) -> CurlDispatcher {
    CurlDispatcher(
      configuration: CurlDispatcher.Configuration(
        limits: CurlDispatcher.Limits(
          total: inFlight, perOrigin: inFlight, queue: inFlight),
        tls: TLSPolicy(authorities: authorities.map { .file($0) } ?? .system), spinning: spinning))
  }

  /// Returns a GET for `url`; nil if it is not an http or https URL.
  public static func request(_ url: String) -> Request? {
    let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].hasSuffix(":"), parts[1].isEmpty else { return nil }
    let scheme = String(parts[0].dropLast())
    guard ["http", "https"].contains(scheme) else { return nil }
    let slash = parts[2].firstIndex(of: "/") ?? parts[2].endIndex
    return Request(
      scheme: scheme, authority: String(parts[2][..<slash]),
      path: slash == parts[2].endIndex ? "/" : String(parts[2][slash...]))
  }

  /// Sends the load, and collects each response body.
  ///
  /// - Parameters:
  ///   - isNumbered: Whether each request has a query of its own, so that no two of them are identical.
  ///   - executor: The executor of the senders; nil for Swift's global executor.
  public static func run(
    _ options: LoadOptions, like request: Request, through dispatcher: some Dispatcher,
    isNumbered: Bool = false, on executor: (any TaskExecutor)? = nil
  ) async -> PeerReport {
    let (head, context) = (request.head, request.context)
    let lastNumber = Atomic(0)
    return await LoadRun.run(options, on: executor) { tally in
      var (answered, bytes, version) = (0, 0, "-")
      while tally.take() {
        var request = Request(head, context: context)
        if isNumbered {
          request.head.path? += "?page=\(lastNumber.add(1, ordering: .relaxed).newValue)"
        }
        do {
          let response = try await dispatcher.dispatch(request)
          let body = try await response.body.collect(upTo: 64 << 20)
          guard response.status == .ok else {
            tally.noteFailure("the status is \(response.status.code)")
            continue
          }
          answered += 1
          bytes += body.count
          if answered == 1 { version = name(of: response.exchange.transport) }
        } catch {
          tally.noteFailure("\(error)")
        }
      }
      tally.note(answered: answered, bytes: bytes, over: version)
    }
  }

  private static func name(of report: TransportReport?) -> String {
    switch report?.version {
    case .http1: "h1"
    case .http2: "h2"
    default: "-"
    }
  }
}
