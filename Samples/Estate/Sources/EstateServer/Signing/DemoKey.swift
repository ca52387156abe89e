import Foundation

/// The key with which the sample app signs and the server verifies requests.
public struct DemoKey: Sendable, Equatable {
  /// The key's identifier, sent with every request.
  public let id: String
  /// The secret, at least 16 bytes.
  public let secret: [UInt8]

  /// Creates a key from its identifier and its secret in hexadecimal.
  ///
  /// Throws if the identifier is not 1 to 64 letters, digits, `-`, `_` or `.`, or the secret not 16 to 128
  /// bytes.
  public init(id: String, secretHex: String) throws(DemoKeyFault) {
    let isName = id.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
        true
      default: false
      }
    }
    guard isName, (1...64).contains(id.utf8.count) else { throw .name }
    guard let secret = Hexadecimal.bytes(secretHex), (16...128).contains(secret.count) else {
      throw .secret
    }
    self.id = id
    self.secret = secret
  }

  /// Creates a random key with a secret of 32 bytes.
  public static func random(using generator: inout some RandomNumberGenerator) -> DemoKey {
    let name = Hexadecimal.text(Hexadecimal.random(4, using: &generator))
    return DemoKey(uncheckedID: "demo-\(name)", secret: Hexadecimal.random(32, using: &generator))
  }

  private init(uncheckedID id: String, secret: [UInt8]) {
    self.id = id
    self.secret = secret
  }
}

/// What is wrong with a key.
public enum DemoKeyFault: Error, Equatable {
  /// The identifier is empty, too long or has other characters than letters, digits, `-`, `_` and `.`.
  case name
  /// The secret is not 16 to 128 bytes in hexadecimal.
  case secret
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
  /// The identifier only.
  public var description: String { "DemoKey(\(id))" }
  /// The identifier only.
  public var debugDescription: String { description }
  /// The identifier only, so that `dump` does not show the secret.
  public var customMirror: Mirror { Mirror(self, children: [("id", id)]) }
}
