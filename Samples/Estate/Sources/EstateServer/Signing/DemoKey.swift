import Foundation
import MessageSignatures
import RequestSigning

/// The key with which the sample app signs and the server verifies requests.
package struct DemoKey: Sendable {
  package let id: String
  package let secret: [UInt8]
  /// The key in the form of the package's own scheme.
  let signing: SigningKey
  /// The key in the form of HTTP Message Signatures.
  let message: MessageKey

  /// Creates a key from its identifier and its secret in hexadecimal.
  ///
  /// - Throws: `SigningKeyError` or `MessageKeyError` for an identifier or a secret that is not suited.
  package init(id: String, secretHex: String) throws {
    self.id = id
    secret = Hexadecimal.bytes(secretHex) ?? []
    signing = try SigningKey(id: id, secret: secret)
    message = try MessageKey(id: id, sharedSecret: secret)
  }

  /// Creates a random key with a secret of 32 bytes.
  static func random() throws -> DemoKey {
    try DemoKey(id: "demo-\(Hexadecimal.random(4))", secretHex: Hexadecimal.random(32))
  }
}

// MARK: File form

extension DemoKey {
  private struct File: Codable {
    let keyID: String
    let secret: String
    /// The seconds before and after a signature's timestamp in which the server accepts it, for the app.
    let window: Int?
  }

  /// Reads `{"keyID":"…","secret":"…","window":300}`, the secret in hexadecimal; `nil` for anything else.
  ///
  /// The window is the server's own and is not read.
  init?(json data: Data) {
    guard let file = try? JSONDecoder().decode(File.self, from: data),
      let key = try? DemoKey(id: file.keyID, secretHex: file.secret)
    else { return nil }
    self = key
  }

  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    let window = Int(SharedKeyVerifier.window.components.seconds)
    let file = File(keyID: id, secret: Hexadecimal.text(secret), window: window)
    return try encoder.encode(file) + Data("\n".utf8)
  }
}

// MARK: Never in a log

extension DemoKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "DemoKey(\(id))" }
  package var debugDescription: String { description }
  /// The identifier only, so that `dump` does not show the secret.
  package var customMirror: Mirror { Mirror(self, children: [("id", id)]) }
}
