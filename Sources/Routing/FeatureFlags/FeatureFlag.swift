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
  package let name: String
  /// The value without a document, and while a document doesn't have the flag.
  package let `default`: Value
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
      guard let value = Value.flagForm.read(content) else { return "should be \(Value.flagForm.name)" }
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
  /// How values of the type stand in a document.
  static var flagForm: FlagForm<Self> { get }
}

/// How the values of a flag stand in a document.
public struct FlagForm<Value>: Sendable {
  /// What the values are, in words, such as `true or false`.
  package let name: String
  /// Returns the value of a content; nil if it is of another type.
  package let read: @Sendable (FlagContent) -> Value?

  init(_ name: String, read: @escaping @Sendable (FlagContent) -> Value?) {
    self.name = name
    self.read = read
  }
}

/// A flag's value as a document states it.
package struct FlagContent: Sendable, Hashable {
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
  /// `true` or `false`.
  public static var flagForm: FlagForm<Bool> {
    FlagForm("true or false") { if case .boolean(let value) = $0.value { value } else { nil } }
  }
}

extension Int: FlagValue {
  /// A number without a fraction.
  public static var flagForm: FlagForm<Int> {
    FlagForm("an integer") { if case .integer(let value) = $0.value { value } else { nil } }
  }
}

extension Double: FlagValue {
  /// A number.
  public static var flagForm: FlagForm<Double> {
    FlagForm("a number") { content in
      switch content.value {
      case .integer(let value): Double(value)
      case .number(let value): value
      case .boolean, .text: nil
      }
    }
  }
}

extension String: FlagValue {
  /// A text.
  public static var flagForm: FlagForm<String> {
    FlagForm("a text") { if case .text(let value) = $0.value { value } else { nil } }
  }
}

extension FlagValue where Self: RawRepresentable, RawValue == String {
  /// A text that is a raw value.
  public static var flagForm: FlagForm<Self> { textForm("a text of \(Self.self)") }

  fileprivate static func textForm(_ name: String) -> FlagForm<Self> {
    FlagForm(name) { if case .text(let text) = $0.value { Self(rawValue: text) } else { nil } }
  }
}

extension FlagValue where Self: RawRepresentable & CaseIterable, RawValue == String {
  /// One of the raw values.
  public static var flagForm: FlagForm<Self> {
    textForm("one of " + allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))
  }
}
