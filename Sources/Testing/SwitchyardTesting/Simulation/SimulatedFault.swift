package import HTTPTypes
import Interception

/// What goes wrong in an exchange of a ``SimulatedNetwork``.
public struct SimulatedFault: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case none
    case slow(Duration)
    case refused
    case silentAddress
    case lostBefore
    case lostAfter
    case stalledBefore
    case stalledAfter
    case overloaded(HTTPResponse.Status, retryAfter: Int?, isDate: Bool)
    case bodyBreaks
    case bodyStalls
  }

  package let kind: Kind

  private init(_ kind: Kind) { self.kind = kind }

  /// Nothing.
  public static let none = SimulatedFault(.none)
  /// The server refuses the connection.
  public static let refused = SimulatedFault(.refused)
  /// The connection is reset before the server has the request.
  public static let lostBefore = SimulatedFault(.lostBefore)
  /// The connection is reset after the server has processed the request.
  public static let lostAfter = SimulatedFault(.lostAfter)
  /// The address doesn't answer, so that connecting times out.
  package static let silentAddress = SimulatedFault(.silentAddress)
  /// The server never has the request, and nothing comes back.
  package static let stalledBefore = SimulatedFault(.stalledBefore)
  /// The server processes the request, and nothing comes back.
  package static let stalledAfter = SimulatedFault(.stalledAfter)
  /// The connection is reset in the middle of the body.
  package static let bodyBreaks = SimulatedFault(.bodyBreaks)
  /// The body stalls in the middle.
  package static let bodyStalls = SimulatedFault(.bodyStalls)

  /// The response takes longer by a time.
  public static func slow(_ delay: Duration) -> SimulatedFault { SimulatedFault(.slow(delay)) }

  /// A proxy or an overloaded server responds in place of the handler, with `Retry-After` in seconds or as a
  /// date if it is not nil.
  package static func overloaded(
    _ status: HTTPResponse.Status, retryAfter: Int? = nil, isDate: Bool = false
  ) -> SimulatedFault {
    SimulatedFault(.overloaded(status, retryAfter: retryAfter, isDate: isDate))
  }

  /// Returns faults for a part of the exchanges, of all kinds.
  ///
  /// - Parameter rate: The part, from 0 to 1.
  public static func some(_ rate: Double = 0.2) -> SimulatedNetwork.Faults {
    { _, random in drawn(perMille: Int(rate * 1_000), using: &random) }
  }

  /// Draws what happens to an exchange.
  package static func drawn(perMille rate: Int, using random: inout SeededRandom) -> SimulatedFault {
    guard Int.random(in: 0..<1_000, using: &random) < rate else { return .none }
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: return .slow(.milliseconds(Int.random(in: 100...30_000, using: &random)))
    case 2: return .refused
    case 3: return .silentAddress
    case 4: return .lostBefore
    case 5: return .lostAfter
    case 6: return .stalledBefore
    case 7: return .stalledAfter
    case 8, 9:
      let status = [503, 503, 429, 500, 502].randomElement(using: &random) ?? 503
      let wait = Bool.random(using: &random) ? Int.random(in: 0...90, using: &random) : nil
      let isDate = Int.random(in: 0..<4, using: &random) == 0
      return .overloaded(HTTPResponse.Status(code: status), retryAfter: wait, isDate: isDate)
    case 10: return .bodyBreaks
    default: return .bodyStalls
    }
  }

  /// The name of the kind, by which faults are counted.
  var name: String { String("\(kind)".prefix { $0 != "(" }) }

  /// Whether the server never has the request.
  var losesRequest: Bool {
    switch kind {
    case .lostBefore, .stalledBefore, .refused, .silentAddress: true
    default: false
    }
  }

  /// Whether nothing comes back.
  var isSilent: Bool { self == .stalledBefore || self == .stalledAfter }

  var delay: Duration {
    if case .slow(let delay) = kind { delay } else { .zero }
  }

  /// The response that is given in place of the handler's.
  func response(_ now: WallTime) -> Response? {
    guard case .overloaded(let status, let wait, let isDate) = kind else { return nil }
    var fields: HTTPFields = [.date: HTTPDate.format(now)]
    fields[.retryAfter] = wait.map {
      isDate ? HTTPDate.format(now.advanced(by: .seconds($0))) : String($0)
    }
    return Response(status: status, headerFields: fields)
  }
}
