/// Decides whether a request with a valid signature is accepted if the nonce store can't tell whether it was
/// received before.
public enum NonceStorePolicy: Sendable, Hashable {
  /// The request is accepted. It, and requests that were captured earlier, can be replayed while their times
  /// are valid.
  case failOpen
  /// The request is refused with the status 503.
  case failClosed
}
