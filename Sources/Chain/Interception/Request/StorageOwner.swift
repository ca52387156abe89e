import HTTPTypes

/// On whose behalf a transfer is kept on disk: a part of the key of every such file.
///
/// A file or an upload of one owner is never resumed or confirmed on behalf of another one, nor removed
/// before another one has content in its place.
package struct StorageOwner: Sendable, Hashable {
  /// The digest of what identifies the owner, which may be a secret; nil without an account and credentials.
  package let digest: String?
  /// The ending of the names of the files of an account, and of a transfer whose owner is unknown.
  ///
  /// It is empty for other owners, which share one name: content for one replaces the files of the other.
  package let suffix: String
  /// Whether a later request can have the same owner; otherwise the files end with the transfer.
  package let isKnown: Bool

  /// The owner of a request without an account and credentials.
  package static let none = StorageOwner(digest: nil, suffix: "", isKnown: true)

  fileprivate init(digest: String?, suffix: String = "", isKnown: Bool = true) {
    self.digest = digest
    self.suffix = suffix
    self.isKnown = isKnown
  }
}

extension Request {
  /// Returns the owner of what is stored of the request, whose identities are known.
  ///
  /// It is the partition. Without one, the credentials in the request tell owners apart, and so do an unnamed
  /// login and cookies, within one process. If an interceptor adds credentials and can't tell whose they are,
  /// the owner is unknown.
  ///
  /// - Parameter digest: Returns the digest of a list of fields, in hexadecimal digits.
  package func storageOwner(
    digestedBy digest: ([String]) throws(NetworkError) -> String
  ) throws(NetworkError) -> StorageOwner {
    let partition = context.partition
    let isHolder = Identity.isHolder(partition)
    if !partition.isEmpty, !isHolder {
      let account = try digest(["account", partition])
      let isNamed = !Identity.hasUnnamedLogin(partition)
      return StorageOwner(digest: account, suffix: isNamed ? ".\(account.prefix(16))" : "")
    }
    guard !hasUnknownIdentity else {
      let random = String(UInt64.random(in: .min ... .max), radix: 16)
      let transfer = try digest(["unknown", random])
      return StorageOwner(digest: transfer, suffix: ".\(transfer.prefix(16))", isKnown: false)
    }
    var fields = isHolder ? ["holder", partition] : []
    for field in head.headerFields where credentialFields.contains(field.name) {
      fields += ["field", field.name.canonicalName, FieldText.latin1(field.bytes)]
    }
    if let identity, !isHolder || identity.hasSeveralLogins, let text = identity.processText {
      fields += ["login", text]
    }
    return fields.isEmpty ? .none : StorageOwner(digest: try digest(fields))
  }
}
