import HTTPTypes
import Interception
// Nonces and their stores are part of this module's interface, and shared with RequestSigning.
@_exported public import NonceStores

/// Random nonces for signatures, drawn in blocks from the cryptographic library's generator.
package enum RandomNonces {
  /// Returns a source of nonces of 128 random bits, as 32 hexadecimal digits.
  ///
  /// The source can be called from any thread, but not across a `fork` without `exec`: create a new one in
  /// the child process.
  package static func drawing() -> @Sendable () -> String {
    let draw = Nonce.drawing()
    return { draw().description }
  }
}
