/// The Swift code that embeds secrets.
public enum EmbeddingCode {
  /// The number of shares of a secret; all of them are necessary to join it.
  static let shareCount = 3

  /// Returns the code for secrets with their names.
  ///
  /// - Parameter generator: Random numbers, which must be those of the system.
  public static func text(
    _ secrets: [(name: String, bytes: [UInt8])], using generator: inout some RandomNumberGenerator
  ) -> String {
    var text = """
      // Written by the plugin EmbedSecrets. Whoever has this file has the secrets: keep it out of the repository.
      import EmbeddedSecrets

      extension EmbeddedSecret {

      """
    for secret in secrets {
      let shares = shares(of: secret.bytes, using: &generator)
        .map { "[\($0.map(String.init).joined(separator: ", "))]" }
      text += """
          nonisolated static var `\(secret.name)`: EmbeddedSecret {
            EmbeddedSecret(shares: \(shares.joined(separator: ", ")))
          }

        """
    }
    return text + "}\n"
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
