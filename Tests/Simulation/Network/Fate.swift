import HTTPTypes
import Interception

/// What happens to an exchange.
package enum Fate: Sendable, Hashable {
  /// Nothing special.
  case none
  /// The response takes this long.
  case slow(Duration)
  /// The server refuses the connection.
  case refused
  /// The address doesn't answer.
  case silentAddress
  /// The connection is lost before the server has the request.
  case lostBefore
  /// The connection is lost after the server has processed the request.
  case lostAfter
  /// The server never has the request, and nothing comes back.
  case stalledBefore
  /// The server processes the request, and nothing comes back.
  case stalledAfter
  /// A proxy or an overloaded server responds in place of the server.
  case overloaded(status: Int, retryAfter: Int?, isDate: Bool)
  /// The body ends early.
  case bodyBreaks
  /// The body stalls.
  case bodyStalls

  var losesRequest: Bool {
    switch self {
    case .lostBefore, .stalledBefore, .refused, .silentAddress: true
    default: false
    }
  }

  var losesReply: Bool { self == .lostAfter }
  var isSilent: Bool { self == .stalledBefore || self == .stalledAfter }

  var delay: Duration {
    if case .slow(let delay) = self { delay } else { .zero }
  }

  /// The response that is given in place of the server.
  func reply(_ now: WallTime) -> Reply? {
    guard case .overloaded(let status, let retryAfter, let isDate) = self else { return nil }
    var reply = Reply(status: HTTPResponse.Status(code: status))
    reply.fields[.retryAfter] = retryAfter.map {
      isDate ? HTTPDate.format(now.advanced(by: .seconds($0))) : String($0)
    }
    reply.fields[.date] = HTTPDate.format(now)
    return reply
  }
}
