/// What a file with a secret must be like.
public enum SecretFileRule {
  /// The maximum size of a secret in bytes, which is that of an RSA key of 4096 bits with room to spare.
  public static let maximumSize = 4_096

  /// What is known about a file before it is read.
  public struct Facts: Sendable, Hashable {
    /// The folder of the package, or a repository that contains the package, in which the file is.
    public var repository: String?
    /// The size in bytes.
    public var size: Int
    /// The permissions of owner, group and others.
    public var permissions: Int
    /// The number of its names, which are hard links.
    public var names: Int

    /// Creates the facts, by default those of a file that may be read.
    public init(repository: String? = nil, size: Int = 32, permissions: Int = 0o600, names: Int = 1) {
      self.repository = repository
      self.size = size
      self.permissions = permissions
      self.names = names
    }
  }

  /// Returns why a file is refused, with the remedy; nil if it may be read.
  public static func fault(of facts: Facts) -> String? {
    if let repository = facts.repository {
      return "it is inside \(repository), from where it could be committed; move it elsewhere"
    }
    guard facts.names == 1 else {
      return "it has \(facts.names) names (hard links), one of which could be committed; use a copy"
    }
    guard facts.permissions & 0o077 == 0 else {
      return
        "other users have access to it (mode \(String(facts.permissions, radix: 8))); run chmod 600 on it"
    }
    // With the line break that is not a part of it.
    return facts.size <= maximumSize + 2 ? nil : tooLong
  }

  /// Returns the secret in the contents of a file, or why they are refused.
  ///
  /// A line break at the end of a text, which editors and commands add, is not a part of the secret. Contents
  /// that are not UTF-8, or that have control characters, are taken as they are.
  public static func secret(in contents: [UInt8]) throws(SecretFileFault) -> [UInt8] {
    var secret = contents
    if secret.last == 0x0A, isText(contents) {
      secret.removeLast()
      if secret.last == 0x0D { secret.removeLast() }
    }
    guard !secret.isEmpty else { throw SecretFileFault("it is empty; write the secret into it") }
    guard secret.count <= maximumSize else { throw SecretFileFault(tooLong) }
    return secret
  }

  private static let tooLong =
    "it has more than \(maximumSize) bytes; embed a key, and decrypt with it what is longer"

  private static func isText(_ bytes: [UInt8]) -> Bool {
    guard let text = String(validating: bytes, as: UTF8.self) else { return false }
    return text.unicodeScalars.allSatisfy {
      $0 == "\t" || $0 == "\n" || $0 == "\r" || $0.properties.generalCategory != .control
    }
  }

  /// Returns a folder and those above it, up to the root.
  public static func folders(from folder: String) -> [String] {
    var parts = folder.split(separator: "/")
    var folders: [String] = []
    while !parts.isEmpty {
      folders.append("/" + parts.joined(separator: "/"))
      parts.removeLast()
    }
    return folders + ["/"]
  }
}

/// Why the contents of a file are no secret.
public struct SecretFileFault: Error, Sendable, Hashable {
  /// The fault and the remedy, in a sentence about the file.
  public var reason: String

  init(_ reason: String) { self.reason = reason }
}
