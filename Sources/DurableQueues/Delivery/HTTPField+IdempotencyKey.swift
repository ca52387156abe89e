package import HTTPTypes

extension HTTPFields {
  // A literal's validity isn't known to the compiler, so that the name is optional.
  private static let idempotencyKey = HTTPField.Name("Idempotency-Key")

  /// Sets `Idempotency-Key`, by which a server recognizes a repeated request
  /// (draft-ietf-httpapi-idempotency-key-header).
  package mutating func setIdempotencyKey(_ key: String) {
    guard let name = Self.idempotencyKey else { return }
    self[name] = "\"\(key)\""
  }
}
