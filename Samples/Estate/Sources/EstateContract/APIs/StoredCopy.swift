package import APIManagers
import HTTPTypes
import Interception

/// A response that came from the cache: why, and how old it is.
///
/// A response that the server has confirmed is none, because it is as good as a new one.
package struct StoredCopy: Sendable, Hashable {
  /// Why the server was not asked, or could not be.
  private enum Reason: Hashable {
    case notAsked
    case unreachable
    case failed
  }

  private let reason: Reason
  /// The age in seconds; `nil` if the clock was set back meanwhile.
  package let age: Int?

  /// Creates the copy in a response; `nil` if the response is the server's.
  package init?(_ response: APIResponse) {
    switch response.exchange.cache {
    case .hit: reason = .notAsked
    case .staleOnError(_, let status, _): reason = status == nil ? .unreachable : .failed
    case .forwarded, .revalidated, .unsatisfied, nil: return nil
    }
    age = response.headerFields[.age].flatMap { Int($0) }
  }

  /// Whether the server was asked in vain.
  package var isOfFailure: Bool { reason != .notAsked }

  package var sentence: String {
    let copy = age.map { "a stored copy, \(Self.duration($0)) old" } ?? "a stored copy of unknown age"
    return switch reason {
    case .notAsked: "This is \(copy)."
    case .unreachable: "The server can't be reached; this is \(copy)."
    case .failed: "The server has failed; this is \(copy)."
    }
  }

  /// The largest whole unit of a duration, such as `3 min`.
  private static func duration(_ seconds: Int) -> String {
    switch seconds {
    case ..<60: "\(seconds) s"
    case ..<3_600: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3_600) h"
    default: "\(seconds / 86_400) days"
    }
  }
}
