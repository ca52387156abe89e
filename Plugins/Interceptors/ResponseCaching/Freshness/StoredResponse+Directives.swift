import HTTPTypes
import Interception

extension StoredResponse {
  /// The directives of the response as a kind of cache applies them; parsed on each access.
  func control(for sharing: CacheSharing) -> CacheControl {
    CacheControl(head.headerFields.value(of: .cacheControl)).applied(to: sharing)
  }
}
