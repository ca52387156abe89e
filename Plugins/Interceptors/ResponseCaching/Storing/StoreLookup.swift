import HTTPTypes
import Interception
import Synchronization

/// The result of a lookup in a ``ResponseStore``.
public enum StoreLookup: Sendable {
  /// The response for the request, fresh or stale.
  case found(StoredResponse)
  /// None for the request, but responses for the same key that require other request header fields.
  case otherVariants
  /// None for the key.
  case nothing

  /// The response, if there is one.
  package var response: StoredResponse? { if case .found(let stored) = self { stored } else { nil } }
}
