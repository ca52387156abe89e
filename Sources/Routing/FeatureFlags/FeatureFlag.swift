/// A value that a deployment document can change, as a typed key that a module's contract declares.
///
/// ```swift
/// enum CheckoutFlags {
///   static let express = FeatureFlag("checkout.express", default: false)
///   static let attempts = FeatureFlag("checkout.attempts", default: 3, in: 1...5)
/// }
/// ```
public struct FeatureFlag<Value: FlagValue>: AnyFeatureFlag {
  /// The name in documents.
  public let name: String
  /// The value without a document, and while a document doesn't have the flag.
  public let `default`: Value
  private let accepts: @Sendable (Value) -> Bool
  private let range: String?

  /// Creates a flag.
  ///
  /// - Parameters:
  ///   - name: The name in documents, which is unique in the app, such as `checkout.express`.
  ///   - value: The value without a document.
  public init(_ name: String, default value: Value) {
    self.name = name
    self.default = value
    accepts = { _ in true }
    range = nil
  }

  /// Creates a flag whose values are within a range; a document with another one is refused.
  public init(
    _ name: String, default value: Value, in range: ClosedRange<Value>
  ) where Value: Comparable & Sendable {
    self.name = name
    self.default = value
    accepts = { range.contains($0) }
    self.range = "\(range.lowerBound) to \(range.upperBound)"
  }

  /// The flag without the type of its value.
  public var declaration: FlagDeclaration {
    FlagDeclaration(name: name) { [accepts, range] content in
      guard let value = Value(flag: content) else { return "should be \(Value.flagDescription)" }
      return accepts(value) ? nil : "should be \(range ?? "another value")"
    }
  }
}

/// A flag whose type of value is not known, for the list of all flags of an app.
public protocol AnyFeatureFlag: Sendable {
  /// The flag without the type of its value.
  var declaration: FlagDeclaration { get }
}

/// The name of a flag, and what it accepts.
public struct FlagDeclaration: Sendable {
  package let name: String
  /// Returns what is wrong with a value, as the rest of a sentence that begins with the flag; nil if nothing
  /// is.
  package let fault: @Sendable (FlagContent) -> String?
}

/// A type of the values of flags: a Boolean, a number, a text, or an enumeration of texts.
///
/// ```swift
/// enum ListStyle: String, FlagValue { case rows, map }
/// ```
public protocol FlagValue: Sendable {
  /// Creates a value from a document; nil if it is of another type.
  init?(flag content: FlagContent)
  /// What values of the type are, in words, such as `true or false`.
  static var flagDescription: String { get }
}

/// A flag's value as a document states it.
public struct FlagContent: Sendable, Hashable {
  /// The maximum length of a text in bytes of UTF-8.
  package static let maximumText = 4_096

  package enum Value: Sendable, Hashable {
    case boolean(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
  }

  package let value: Value

  package init(_ value: Value) { self.value = value }
}

extension Bool: FlagValue {
  /// Reads `true` or `false`.
  public init?(flag content: FlagContent) {
    guard case .boolean(let value) = content.value else { return nil }
    self = value
  }
  /// `true or false`.
  public static var flagDescription: String { "true or false" }
}

extension Int: FlagValue {
  /// Reads a number without a fraction.
  public init?(flag content: FlagContent) {
    guard case .integer(let value) = content.value else { return nil }
    self = value
  }
  /// `an integer`.
  public static var flagDescription: String { "an integer" }
}

extension Double: FlagValue {
  /// Reads a number.
  public init?(flag content: FlagContent) {
    switch content.value {
    case .integer(let value): self = Double(value)
    case .number(let value): self = value
    default: return nil
    }
  }
  /// `a number`.
  public static var flagDescription: String { "a number" }
}

extension String: FlagValue {
  /// Reads a text.
  public init?(flag content: FlagContent) {
    guard case .text(let value) = content.value else { return nil }
    self = value
  }
  /// `a text`.
  public static var flagDescription: String { "a text" }
}

extension FlagValue where Self: RawRepresentable, RawValue == String {
  /// Reads a raw value.
  public init?(flag content: FlagContent) {
    guard case .text(let text) = content.value else { return nil }
    self.init(rawValue: text)
  }
  /// `a text of` the type.
  public static var flagDescription: String { "a text of \(Self.self)" }
}

extension FlagValue where Self: RawRepresentable & CaseIterable, RawValue == String {
  /// The raw values.
  public static var flagDescription: String {
    "one of " + allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
  }
}
