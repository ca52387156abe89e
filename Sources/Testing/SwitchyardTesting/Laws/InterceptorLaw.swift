import HTTPTypes
import Interception

/// A rule that every interceptor must obey, whatever its purpose.
package enum InterceptorLaw: String, Sendable, Hashable, CaseIterable {
  /// A cancellation reaches `next` immediately, and the interceptor throws the cancellation error.
  case passesCancellation
  /// A body is read only if the traits declare it.
  case readsOnlyDeclaredBodies
  /// `next` is called as often as the traits declare.
  case callsNextAsDeclared
  /// A response that its caller has released is released by the interceptor too, so that its transfer ends.
  case releasesDroppedAnswers
  /// The request keeps its identity and the values of context keys that are unknown to the interceptor.
  case leavesUnknownContextAlone
  /// An error keeps its origin, its kind, and whether the server may have processed the request.
  case attributesHonestly
}
