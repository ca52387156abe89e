import Mediation

/// Limits for the calls of a web page.
public struct PageCallLimits: Sendable, Hashable {
  /// The maximum number of calls in progress; at least 1.
  package let calls: Int
  /// The maximum length of a call's id, in bytes.
  package let id: Int
  /// The maximum size of the URL, or of the name and the parameters together, in bytes.
  package let size: Int

  /// Creates the limits.
  public init(calls: Int = 16, id: Int = 64, size: Int = 8 * 1024) {
    self.calls = max(1, calls)
    self.id = id
    self.size = size
  }

  /// Returns whether the texts of a call are within the limit.
  func admits(_ target: PageCall.Target) -> Bool {
    switch target {
    case .url(let url): url.utf8.count <= size
    case .method(let name, let parameters):
      parameters.reduce(name.utf8.count) { $0 + $1.key.utf8.count + $1.value.utf8.count } <= size
    }
  }
}
