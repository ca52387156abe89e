extension InsecureParameterDigest {
  /// What is hashed, and where the digest is sent.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Query parameters and the API key; `api_key` and `sig` are added to the query.
    case get
    /// Path and query parameters; the API key is in the field `key`, the digest in the field `sig`.
    case restfulGet
    /// The parameters of a form body and the API key; `api_key` and `sig` are added to the query.
    case post
    /// Path, query parameters and the body's bytes; the API key is in the field `key`, the digest in the
    /// field `sig`.
    case restfulPost
  }

  /// The hash function.
  public enum Hash: String, Sendable, Hashable, CaseIterable {
    /// MD5, which most old servers use.
    case md5
    /// SHA-256.
    case sha256
  }

  /// Where the secret is in the text that is hashed.
  public enum SecretPosition: String, Sendable, Hashable, CaseIterable {
    /// After everything else.
    case suffix
    /// Before everything else, which permits length extension.
    case prefix
  }
}
