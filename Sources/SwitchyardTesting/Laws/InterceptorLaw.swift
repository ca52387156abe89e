/// A promise that every interceptor makes, whatever it is for.
public enum InterceptorLaw: String, Sendable, Hashable, CaseIterable {
  /// A cancelled task reaches `next` at once, and the interceptor ends with the cancellation.
  case passesCancellation
  /// A body is read only as far as the traits declare it.
  case readsOnlyDeclaredBodies
  /// `next` is called as often as the traits say.
  case callsNextAsDeclared
  /// An answer that nobody holds any more is let go, so that its transfer ends.
  case releasesDroppedAnswers
  /// The request keeps its identity, and values of keys that the interceptor doesn't know.
  case leavesUnknownContextAlone
  /// An error keeps who failed, what failed, and whether the server may have acted.
  case attributesHonestly
}
