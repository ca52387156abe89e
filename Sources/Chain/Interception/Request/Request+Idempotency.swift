package import HTTPTypes

extension RequestContext {
  private enum IdempotencyKey: ContextKey { static let defaultValue: Bool? = nil }
  private enum SendingOnceKey: ContextKey { static let defaultValue = false }

  /// Whether processing this request twice has the same effect as processing it once; nil, the default, to
  /// decide by the method and the `Idempotency-Key` field.
  ///
  /// Set it to true for a POST that only reads, or whose server recognizes repetitions by a value in the
  /// body, and to false for a GET that changes something. Retries obey it, and so does a dispatcher that
  /// sends a request again when a reused connection turns out to be closed.
  public var isIdempotent: Bool? {
    get { self[IdempotencyKey.self] }
    set { self[IdempotencyKey.self] = newValue }
  }

  /// Whether the request must be sent at most once, although it may be idempotent.
  package var isSentOnce: Bool {
    get { self[SendingOnceKey.self] }
    set { self[SendingOnceKey.self] = newValue }
  }
}

extension Request {
  /// Whether processing the request twice has the same effect as processing it once.
  ///
  /// A context value has precedence over the `Idempotency-Key` field, and both over the method (RFC 9110,
  /// section 9.2.2).
  package var isIdempotent: Bool {
    if let declared = context.isIdempotent { return declared }
    return head.method.isIdempotent || head.headerFields.contains { $0.name == .idempotencyKey }
  }
}

extension HTTPField.Name {
  // A literal's validity isn't known to the compiler, so that the name is optional.
  /// The key by which a server recognizes repetitions of a request
  /// (draft-ietf-httpapi-idempotency-key-header).
  fileprivate static let idempotencyKey = HTTPField.Name("Idempotency-Key")
}

extension HTTPFields {
  /// Sets `Idempotency-Key`, by which a server recognizes a repeated request.
  package mutating func setIdempotencyKey(_ key: String) {
    guard let name = HTTPField.Name.idempotencyKey else { return }
    self[name] = "\"\(key)\""
  }
}

/// Identifiers of 128 random bits, as 32 hexadecimal digits: idempotency keys, boundaries, names of files.
package enum RandomIdentifier {
  /// Returns a new identifier, with the most significant digit of the first number in front.
  package static func next(using random: inout some RandomNumberGenerator) -> String {
    let digits = [random.next() as UInt64, random.next()].flatMap { half in
      // The bit tells lower-case letters from upper-case ones, and all digits have it.
      stride(from: 60, through: 0, by: -4).map { PercentEncoding.digit(UInt8(half >> $0 & 15)) | 0x20 }
    }
    return String(decoding: digits, as: UTF8.self)
  }
}
