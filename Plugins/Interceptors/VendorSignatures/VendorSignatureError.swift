import Cryptography
public import Interception

/// The reason why a request can't be signed, or why a signature is configured wrongly.
///
/// No error contains a secret, a token, a query or a body.
public struct VendorSignatureError: Error, LoggableError, Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    /// A region, a service, a key id, a token or a secret has characters that a signature can't carry.
    case illegalText(String)
    /// A presigned URL must be valid for 1 to 604,800 seconds.
    case expirationOutOfRange
    /// The parts of a configuration contradict each other; the text says which.
    case contradiction(String)
    /// The private key isn't an unencrypted RSA key of at least 1024 bits in PEM.
    case invalidPrivateKey
    /// The request has no authority, or no path that begins with a slash.
    case noTarget
    /// The request already has a field or query item that the signature adds, named here.
    case alreadySigned(String)
    /// The vendor requires a field that the request lacks.
    case missingField(String)
    /// The body can be read only once, but its hash is required before it is sent.
    ///
    /// - Parameter orElse: A remedy besides a replayable body, if there is one.
    case bodyNotReplayable(orElse: String?)
    /// The body is longer than the number of bytes of a form that is signed.
    case bodyTooLarge(limit: Int)
    /// Chunks are signed only if the length of the body is known in advance.
    case unknownLength
    /// The secret itself, or an unsigned body, is sent only over https.
    case requiresTLS(String)
    /// The source of credentials returned expired ones.
    case expiredCredentials
    /// The source of credentials threw an error; the underlying error of the `NetworkError` is that error.
    case sourceFailed
    /// The cryptographic library failed, or lacks the operation: CryptoKit has no RSA.
    case cryptography(String)
  }

  package let reason: Reason

  package init(_ reason: Reason) { self.reason = reason }
}

extension VendorSignatureError: CustomStringConvertible {
  /// The fault and the remedy.
  public var description: String {
    switch reason {
    case .illegalText(let part):
      "The \(part) is empty or has characters that a signature can't carry; use visible ASCII characters, and no "
        + "comma or slash in an id."
    case .expirationOutOfRange:
      "A presigned URL is valid for 1 to 604800 seconds; choose a duration in that range."
    case .contradiction(let text): text
    case .invalidPrivateKey:
      "The private key can't be read; pass an unencrypted RSA key of at least 1024 bits in PEM."
    case .noTarget:
      "The request has no authority, or no path that begins with a slash; use an absolute URL."
    case .alreadySigned(let name):
      "The request already has \(name), which the signature adds; remove it, or limit this interceptor with only(for:)."
    case .missingField(let name):
      "The signature requires the field \(name); add it to the request."
    case .bodyNotReplayable(let alternative):
      "The signature covers the body, but the body can be read only once; make it .bytes, .file or "
        + ".sequence(length:makingEach:)\(alternative.map { ", or \($0)" } ?? "")."
    case .bodyTooLarge(let limit):
      "The signature covers the content of the body, which is longer than \(limit) bytes; send a shorter one."
    case .unknownLength:
      "A body is signed in chunks only if its length is known; declare the length, or leave the body unsigned."
    case .requiresTLS(let part):
      "The signature \(part), which only https protects; use an https URL, or another method of signing."
    case .expiredCredentials:
      "The source of credentials returned expired ones; check the source and this device's clock."
    case .sourceFailed:
      "The source of credentials failed; see the underlying error."
    case .cryptography(let operation): CryptographyError(operation: operation).description
    }
  }
}
