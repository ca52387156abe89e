/// The Swift code that embeds secrets.
public struct EmbeddingCode: Sendable, Hashable {
  /// A secret by the name of its property.
  public struct Secret: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The secret.
    public var bytes: [UInt8]

    /// Creates a secret with its name.
    public init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  private struct Property: Sendable, Hashable {
    var name: String
    var shares: [[UInt8]]
  }

  /// The number of shares of a secret; all of them are necessary to join it.
  static let shareCount = 3
  private static let header = """
    // Written by the plugin EmbedSecrets. This file reveals the secrets: keep it out of the repository.
    import EmbeddedSecrets

    extension EmbeddedSecret {

    """

  private var properties: [Property]

  /// Splits secrets into shares.
  ///
  /// - Parameter generator: Random numbers, which must be those of the system.
  public init(_ secrets: [Secret], using generator: inout some RandomNumberGenerator) {
    properties = []
    for secret in secrets {
      let shares = Self.shares(of: secret.bytes, using: &generator)
      properties.append(Property(name: secret.name, shares: shares))
    }
  }

  /// Reads the code of an earlier build; nil unless it is exactly what this type writes.
  public init?(_ text: String) {
    properties = []
    let lines = text.split(separator: "\n")
    for (declaration, value) in zip(lines, lines.dropFirst()) where declaration.hasPrefix("  nonisolated") {
      let names = declaration.split(separator: "`")
      guard names.count == 3, let start = value.firstIndex(of: "[") else { return nil }
      let shares = value[start...].dropFirst().dropLast(2)
        .split(separator: "], [", omittingEmptySubsequences: false)
        .map { share in share.split(separator: ", ").compactMap { UInt8($0) } }
      properties.append(Property(name: String(names[1]), shares: shares))
    }
    guard self.text == text else { return nil }
  }

  /// The source text.
  public var text: String {
    Self.header
      + properties.map { property in
        let shares = property.shares.map { "[\($0.map(String.init).joined(separator: ", "))]" }
        return """
            nonisolated static var `\(property.name)`: EmbeddedSecret {
              EmbeddedSecret(shares: \(shares.joined(separator: ", ")))
            }

          """
      }
      .joined() + "}\n"
  }

  /// The secrets that the shares give.
  public var secrets: [Secret] {
    properties.map { property in
      var bytes = [UInt8](repeating: 0, count: property.shares.map(\.count).max() ?? 0)
      for share in property.shares {
        for (index, byte) in share.enumerated() { bytes[index] ^= byte }
      }
      return Secret(name: property.name, bytes: bytes)
    }
  }

  /// Splits a secret into shares: all but one are random, and the exclusive or of all is the secret.
  static func shares(of secret: [UInt8], using generator: inout some RandomNumberGenerator) -> [[UInt8]] {
    var last = secret
    var shares: [[UInt8]] = []
    for _ in 1..<shareCount {
      let share = secret.map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      for index in last.indices { last[index] ^= share[index] }
      shares.append(share)
    }
    return (shares + [last]).shuffled(using: &generator)
  }
}
