/// The secrets of a target, as its file `EmbeddedSecrets.txt` lists them: a line `name = path` for each.
///
/// Empty lines and lines that begin with `#` are ignored.
public struct SecretList: Sendable, Hashable {
  /// The name of the file, in the target's folder.
  public static let fileName = "EmbeddedSecrets.txt"
  /// The maximum size of the file in bytes.
  public static let maximumSize = 64 << 10
  /// The maximum number of secrets.
  public static let maximumCount = 100

  /// The secrets of the valid lines, in their order.
  public private(set) var secrets: [ListedSecret] = []
  /// What is wrong with the other lines.
  ///
  /// None quotes what is neither a name nor a path, because it could be a secret in the wrong place.
  public private(set) var faults: [SecretFault] = []

  /// Parses the contents of the file.
  public init(_ bytes: some Collection<UInt8>) {
    guard bytes.count <= Self.maximumSize else {
      faults = [
        SecretFault(line: 1, reason: "the file is larger than \(Self.maximumSize >> 10) KiB; shorten it")
      ]
      return
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      faults = [SecretFault(line: 1, reason: "the file is not UTF-8; save it as such")]
      return
    }
    let content = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    for (index, line) in content.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      read(Self.trimmed(line), at: index + 1)
    }
    if secrets.count > Self.maximumCount {
      let line = secrets[Self.maximumCount].line
      faults.append(SecretFault(line: line, reason: "more than \(Self.maximumCount) secrets are listed"))
    }
    if secrets.isEmpty, faults.isEmpty {
      faults = [SecretFault(line: 1, reason: "no secret is listed; write NAME = PATH, or remove the plugin")]
    }
  }

  private mutating func read(_ line: Substring, at number: Int) {
    guard let first = line.first, first != "#" else { return }
    let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      faults.append(SecretFault(line: number, reason: "expected NAME = PATH"))
      return
    }
    let (name, path) = (String(Self.trimmed(parts[0])), String(Self.trimmed(parts[1])))
    var reasons: [String] = []
    if let reason = ListedSecret.fault(ofName: name) {
      reasons.append(reason)
    } else if let earlier = secrets.first(where: { $0.name == name }) {
      reasons.append("line \(earlier.line) has the name \"\(name)\", too; choose another one")
    }
    if let reason = ListedSecret.fault(ofPath: path) { reasons.append(reason) }
    faults += reasons.map { SecretFault(line: number, reason: $0) }
    if reasons.isEmpty { secrets.append(ListedSecret(name: name, path: path, line: number)) }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}

/// A secret that a list names.
public struct ListedSecret: Sendable, Hashable {
  /// The name of its property: letters, digits and underscores of ASCII.
  public var name: String
  /// The path of its file as it is written, which begins with `/`, `~/` or `../`.
  public var path: String
  /// The number of its line, from 1.
  public var line: Int

  /// The absolute path of its file.
  ///
  /// - Parameters:
  ///   - package: The folder of the package, for paths that begin with `../`.
  ///   - home: The home folder of the user, for paths that begin with `~/`.
  public func file(package: String, home: String) -> String {
    if path.hasPrefix("~/") { return home + path.dropFirst() }
    return path.hasPrefix("/") ? path : "\(package)/\(path)"
  }

  static func fault(ofName name: String) -> String? {
    let isIdentifier =
      name.utf8.count <= 128 && name.wholeMatch(of: /_*[a-z][A-Za-z0-9_]*/) != nil
      // A member of these names can't be used.
      && !["init", "self"].contains(name)
    if isIdentifier { return nil }
    return "the name is not that of a property; use at most 128 letters, digits and underscores of ASCII, "
      + "beginning with a lowercase letter, as in platformKey = ~/.shop/platform.key"
  }

  static func fault(ofPath path: String) -> String? {
    let begins = ["/", "~/", "../"].contains { path.hasPrefix($0) && path != $0 }
    if begins, path.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) { return nil }
    return
      "expected the path of a file that holds the secret, which begins with /, with ~/ for the home folder, "
      + "or with ../ for the folder above the package; if this is the secret itself, replace it at its server, "
      + "because a file of the repository has it"
  }
}

/// What is wrong with a line of a list, or with the file that it names.
public struct SecretFault: Error, Sendable, Hashable {
  /// The number of the line, from 1.
  public var line: Int
  /// The fault and the remedy, without the secret.
  public var reason: String

  /// Creates a fault.
  public init(line: Int, reason: String) {
    self.line = line
    self.reason = reason
  }

  /// Returns the fault in the format of a compiler's error.
  public func text(in list: String) -> String { "\(list):\(line): error: \(reason)" }
}
