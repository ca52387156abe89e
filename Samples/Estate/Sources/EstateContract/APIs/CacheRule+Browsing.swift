package import Interception

extension CacheRule {
  /// The rule for what is better shown old than not at all: fresh for a minute, and usable for a day more if
  /// the server fails.
  package static let browsing = CacheRule.timed(.seconds(60)).staleIfError(for: .seconds(86_400))
}
