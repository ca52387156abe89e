import HTTPTypes

/// The fields and constants of ACS3-HMAC-SHA256.
enum AliyunFields {
  static let host = HTTPField.Name(signature: "Host")
  static let action = HTTPField.Name(signature: "x-acs-action")
  static let version = HTTPField.Name(signature: "x-acs-version")
  static let date = HTTPField.Name(signature: "x-acs-date")
  static let nonce = HTTPField.Name(signature: "x-acs-signature-nonce")
  static let contentHash = HTTPField.Name(signature: "x-acs-content-sha256")
  static let securityToken = HTTPField.Name(signature: "x-acs-security-token")

  static let algorithm = "ACS3-HMAC-SHA256"

  /// All of them but the host.
  static let all: [HTTPField.Name] = [action, version, date, nonce, contentHash, securityToken]

  /// Whether the signature covers a field of a request.
  static func isCovered(_ name: HTTPField.Name) -> Bool {
    name == .contentType || name.canonicalName.hasPrefix("x-acs-")
  }
}
