public import HTTPTypes
import Interception

/// What goes wrong in an exchange of a ``SimulatedNetwork``.
public enum SimulatedFault: Sendable, Hashable {
  /// Nothing.
  case none
  /// The response takes longer by this time.
  case slow(Duration)
  /// The server refuses the connection.
  case refused
  /// The address doesn't answer, so that connecting times out.
  case silentAddress
  /// The connection is reset before the server has the request.
  case lostBefore
  /// The connection is reset after the server has processed the request.
  case lostAfter
  /// The server never has the request, and nothing comes back.
  case stalledBefore
  /// The server processes the request, and nothing comes back.
  case stalledAfter
  /// A proxy or an overloaded server responds in place of the handler, with `Retry-After` in seconds or as a
  /// date if it is not nil.
  case overloaded(HTTPResponse.Status, retryAfter: Int? = nil, isDate: Bool = false)
  /// The connection is reset in the middle of the body.
  case bodyBreaks
  /// The body stalls in the middle.
  case bodyStalls

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
  var name: String { String("\(self)".prefix { $0 != "(" }) }

  /// Whether the server never has the request.
  var losesRequest: Bool {
    switch self {
    case .lostBefore, .stalledBefore, .refused, .silentAddress: true
    default: false
    }
  }

  /// Whether nothing comes back.
  var isSilent: Bool { self == .stalledBefore || self == .stalledAfter }

  var delay: Duration {
    if case .slow(let delay) = self { delay } else { .zero }
  }

  /// The response that is given in place of the handler's.
  func response(_ now: WallTime) -> Response? {
    guard case .overloaded(let status, let wait, let isDate) = self else { return nil }
    var fields: HTTPFields = [.date: HTTPDate.format(now)]
    fields[.retryAfter] = wait.map {
      isDate ? HTTPDate.format(now.advanced(by: .seconds($0))) : String($0)
    }
    return Response(status: status, headerFields: fields)
  }
}
