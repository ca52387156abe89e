/// Checks and applies one part of deployment documents: the flags, the redirects, or one of the app's own.
///
/// ```swift
/// let prices = DeploymentPart("price-label") { content in
///   guard let text = String(validating: content, as: UTF8.self), text.count <= 40 else {
///     throw DeploymentPart.Fault("should be a text of at most 40 characters")
///   }
///   return { label.text.withLock { $0 = text } }
/// } reset: {
///   label.text.withLock { $0 = "Asking price" }
/// }
/// ```
///
/// A document is applied only if no part refuses its content. A part that a document doesn't have is reset.
public struct DeploymentPart: Sendable {
  /// Why a part refuses its content.
  public struct Fault: Error, Sendable, Hashable {
    /// The line of the content, from 1; nil if the content as a whole is at fault.
    package let line: Int?
    /// What is wrong, as the rest of a sentence that begins with the part.
    package let reason: String

    /// Creates a fault.
    ///
    /// - Parameters:
    ///   - reason: What is wrong and what to do, such as "should be a text of at most 40 characters".
    ///   - line: The line of the content, from 1.
    public init(_ reason: String, line: Int? = nil) {
      self.reason = reason
      self.line = line
    }
  }

  /// The maximum length of a part's content by default, in bytes.
  package static let standardSize = 1 << 20

  /// The name of the part in documents.
  public let name: String
  private let maximumSize: Int
  private let check: @Sendable ([UInt8], UInt64) throws -> @Sendable () -> Void
  /// Restores the state of the app without a document.
  package let reset: @Sendable () -> Void

  /// Creates a part.
  ///
  /// - Parameters:
  ///   - name: The name in documents: 1 to 128 lowercase ASCII letters, digits, `.`, `-`, `:` and `/`.
  ///   - maximumSize: The maximum length of the content in bytes; 1 MiB by default.
  ///   - check: Checks the content without any effect, and returns what applies it. That can't fail, must not
  ///     wait, and replaces what was applied before.
  ///   - reset: Restores the state of the app without a document.
  public init(
    _ name: String, maximumSize: Int = 1 << 20,
    check: @escaping @Sendable (_ content: [UInt8]) throws -> @Sendable () -> Void,
    reset: @escaping @Sendable () -> Void
  ) {
    self.init(
      name, maximumSize: maximumSize, checkingVersions: { content, _ in try check(content) }, reset: reset)
  }

  /// Creates a part that also needs the version of the document.
  init(
    _ name: String, maximumSize: Int = standardSize,
    checkingVersions check: @escaping @Sendable ([UInt8], _ version: UInt64) throws -> @Sendable () -> Void,
    reset: @escaping @Sendable () -> Void
  ) {
    self.name = name
    self.maximumSize = maximumSize
    self.check = check
    self.reset = reset
  }

  /// Returns what applies a content that the part accepts.
  ///
  /// - Throws: ``DeploymentError`` with the version, the part and the line.
  package func checked(_ content: [UInt8], version: UInt64) throws(DeploymentError) -> @Sendable () -> Void {
    guard content.count <= maximumSize else {
      throw DeploymentError(.tooLarge(limit: maximumSize), version: version, part: name)
    }
    do {
      return try check(content, version)
    } catch {
      throw DeploymentError(faultOf: error, in: content, version: version, part: name)
    }
  }
}
