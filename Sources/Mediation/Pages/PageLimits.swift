/// How much a web page may ask of the app.
public struct PageLimits: Sendable, Hashable {
  /// So many calls may be under way.
  public let calls: Int
  /// So many bytes the id of a call may have.
  public let id: Int
  /// So many bytes the URL, or the name and the parameters together, may have.
  public let size: Int

  /// Sets the limits.
  public init(calls: Int = 16, id: Int = 64, size: Int = 8 * 1024) {
    self.calls = max(1, calls)
    self.id = id
    self.size = size
  }

  /// Whether the texts of a call are within the limit.
  func admits(_ target: PageCall.Target) -> Bool {
    switch target {
    case .url(let url): url.utf8.count <= size
    case .method(let name, let parameters):
      parameters.reduce(name.utf8.count) { $0 + $1.key.utf8.count + $1.value.utf8.count } <= size
    }
  }
}
