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
  ///
  /// - Parameters:
  ///   - version: The version of HTTP; nil for what the dispatcher chooses by default.
  ///   - isRaced: Whether a connection over TCP races one of HTTP/3, as it does in an app.
  public static func dispatcher(
    inFlight: Int, authorities: String?, spinning: Bool = true, version: LoadVersion? = nil,
    isRaced: Bool = false
  ) -> CurlDispatcher {
    CurlDispatcher(
      configuration: CurlDispatcher.Configuration(
        limits: CurlDispatcher.Limits(
          total: inFlight, perOrigin: inFlight, queue: inFlight),
        tls: TLSPolicy(authorityFile: authorities),
        connections: isRaced ? ConnectionPolicy() : version?.withoutRace ?? ConnectionPolicy(),
        http3: version?.use ?? .whenAdvertised, spinning: spinning))
  }

  /// Returns a GET for `url`; nil if it is not an http or https URL.
  ///
  /// - Parameter address: The address to connect to; nil for that of the URL's host.
  public static func request(_ url: String, at address: String? = nil) -> Request? {
    let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].hasSuffix(":"), parts[1].isEmpty else { return nil }
    let scheme = String(parts[0].dropLast())
    guard ["http", "https"].contains(scheme) else { return nil }
    let slash = parts[2].firstIndex(of: "/") ?? parts[2].endIndex
    var request = Request(
      scheme: scheme, authority: String(parts[2][..<slash]),
      path: slash == parts[2].endIndex ? "/" : String(parts[2][slash...]))
    request.context.connectTarget = address.map { ConnectTarget(address: $0) }
    return request
  }

  /// Sends the load, and collects each response body.
  ///
  /// - Parameters:
  ///   - numbers: Give each request a query of its own, so that no two of them are identical; nil for one
  ///     URL.
  ///   - executor: The executor of the senders; nil for Swift's global executor.
  public static func run(
    _ options: LoadOptions, like request: Request, through dispatcher: some Dispatcher,
    numbers: RequestNumbers? = nil, on executor: (any TaskExecutor)? = nil
  ) async -> PeerReport {
    let (head, context) = (request.head, request.context)
    return await LoadRun.run(options, on: executor) { tally in
      var (answered, bytes, version) = (0, 0, "-")
      while tally.take() {
        var request = Request(head, context: context)
        if let numbers { request.head.path? += "?page=\(numbers.next())" }
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

  /// Returns the name of the version in a report.
  public static func name(of report: TransportReport?) -> String {
    switch report?.version {
    case .http1: "h1"
    case .http2: "h2"
    case .http3: "h3"
    case nil: "-"
    }
  }
}

/// The numbers of requests, in the order in which they are sent.
public final class RequestNumbers: Sendable {
  private let last = Atomic(0)

  /// Creates numbers from 1 on.
  public init() {}

  func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}

/// The chain before a dispatcher, or the dispatcher alone, over which loads are sent.
public struct WireChain: Sendable {
  private let dispatcher: CurlDispatcher
  private let pipeline: Pipeline?
  private let numbers: RequestNumbers?

  /// Builds the chain.
  ///
  /// - Parameters:
  ///   - shape: The chain; nil for none.
  ///   - missing: The part that ``ChainShape/appChain`` leaves out; nil for none.
  ///   - authority: The authority in the DNS bypass's table, at 127.0.0.1.
  public init(
    _ shape: ChainShape?, leavingOut missing: AppChain.Part?, over dispatcher: CurlDispatcher,
    authority: String
  ) throws {
    self.dispatcher = dispatcher
    pipeline = try shape?.pipeline(over: dispatcher, authority: authority, leavingOut: missing)
    numbers = shape == .appChain ? RequestNumbers() : nil
  }

  /// Sends a load, as ``WireLoad/run(_:like:through:numbers:on:)`` does.
  public func run(
    _ options: LoadOptions, like request: Request, on executor: (any TaskExecutor)? = nil
  ) async -> PeerReport {
    guard let pipeline else {
      return await WireLoad.run(options, like: request, through: dispatcher, on: executor)
    }
    return await WireLoad.run(options, like: request, through: pipeline, numbers: numbers, on: executor)
  }
}
