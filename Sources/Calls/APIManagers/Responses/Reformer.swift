public import BodyFormats
public import Interception

/// A type that converts raw data into what a view shows.
///
/// Write a reformer for data that is presented: as a list item, a text, a map pin. One reformer can serve
/// several similar APIs whose fields have different names, and several reformers can convert the same
/// response. The manager's identity tells the APIs apart. For data that needs no further conversion, use
/// ``JSONReformer``, or an API with an ``API/Output``. ``map(_:)`` and ``then(_:)`` compose reformers.
///
/// A manager runs a reformer that is `Hashable` once per response.
///
/// ```swift
/// struct PriceTag: Reformer, Hashable {
///   func reform(_ response: APIResponse, from manager: ManagerIdentity) throws -> String {
///     switch manager.api {
///     case HouseDetail.identity: "\(try response.json(as: House.self).askingPrice) €"
///     case CondoDetail.identity: "\(try response.json(as: Condo.self).price) €"
///     default: throw DecodingMismatchError.unknownManager(manager)
///     }
///   }
/// }
/// ```
public protocol Reformer<Output> {
  /// The type of the converted data.
  associatedtype Output

  /// Converts a response.
  ///
  /// It may throw any error; the manager reports it as ``APIError/Kind/malformed(field:)``. A
  /// ``DecodingMismatchError`` names the field.
  func reform(_ response: APIResponse, from manager: ManagerIdentity) throws -> Output
}

extension Reformer {
  /// Returns a reformer that converts the output of this one further.
  ///
  /// ```swift
  /// let cheapest = ListItems().map { items in items.min { $0.price < $1.price } }
  /// ```
  ///
  /// - Parameter transform: Converts an output. It may throw any error, as a reformer may.
  public func map<Value>(
    _ transform: @escaping (Output) throws -> Value
  ) -> some Reformer<Value> {
    ComposedReformer(first: self) { output, _, _ in try transform(output) }
  }

  /// Returns a reformer that passes the response and the output of this one to a closure.
  ///
  /// Use it where the second conversion depends on the manager or on the header fields as well:
  ///
  /// ```swift
  /// let page = ListItems().then { items, response, manager in
  ///   Page(title: manager.name ?? "all", items: items, isStored: response.isFromCache)
  /// }
  /// ```
  public func then<Value>(
    _ convert: @escaping (Output, APIResponse, ManagerIdentity) throws -> Value
  ) -> some Reformer<Value> {
    ComposedReformer(first: self, second: convert)
  }
}

/// A reformer followed by a further conversion.
private struct ComposedReformer<First: Reformer, Output>: Reformer {
  let first: First
  let second: (First.Output, APIResponse, ManagerIdentity) throws -> Output

  func reform(_ response: APIResponse, from manager: ManagerIdentity) throws -> Output {
    try second(try first.reform(response, from: manager), response, manager)
  }
}

/// A reformer that decodes a response from JSON, for data that needs no further conversion.
///
/// A mismatch is reported with the field and what was expected there, for example: "`items[3].price` should
/// be Double, but is a string".
public struct JSONReformer<Output: Decodable>: Reformer, Hashable {
  private let format: JSONCoding

  /// Creates a reformer that decodes a type.
  ///
  /// - Parameter format: The format of keys and dates; by default the type's coding keys and RFC 3339.
  public init(_ type: Output.Type = Output.self, format: JSONCoding = JSONCoding()) { self.format = format }

  /// Decodes a response.
  ///
  /// - Throws: A `BodyDecodingError` that names the field.
  public func reform(_ response: APIResponse, from manager: ManagerIdentity) throws(BodyDecodingError)
    -> Output
  {
    try response.json(as: Output.self, format: format)
  }
}

/// The error that a reformer throws when the content of a response is not as expected.
public struct DecodingMismatchError: Error, LoggableError, Sendable, Hashable {
  /// The field at fault, such as `items[3].price`, or nil if the fault concerns the content as a whole.
  public let field: String?
  /// A sentence that says what was expected and what was found.
  public let reason: String

  /// Creates an error.
  public init(field: String? = nil, _ reason: String) {
    self.field = field
    self.reason = reason
  }

  /// Creates an error for a manager whose responses the reformer does not support.
  public static func unknownManager(_ manager: ManagerIdentity) -> DecodingMismatchError {
    DecodingMismatchError("The reformer doesn't support the responses of \(manager); use one that does.")
  }
}

extension DecodingMismatchError: CustomStringConvertible {
  /// The reason.
  public var description: String { reason }
}

/// The outputs of the reformers that have converted a manager's last response, by reformer.
///
/// A reformer that isn't `Hashable` can't be recognized, so its output is not kept.
struct ReformedValues {
  /// The maximum number of outputs; the oldest is removed first.
  static let maximum = 8

  private var entries: [(reformer: AnyHashable, output: Any)] = []

  /// Returns the output of a reformer, or nil if it hasn't been kept.
  func output<R: Reformer>(of reformer: R) -> R.Output? {
    // The entry is unwrapped before the cast, because nil can be cast to an optional output.
    guard !entries.isEmpty, let key = Self.key(reformer),
      let entry = entries.first(where: { $0.reformer == key })
    else { return nil }
    return entry.output as? R.Output
  }

  /// Keeps the output of a reformer.
  mutating func keep<R: Reformer>(_ output: R.Output, of reformer: R) {
    guard let key = Self.key(reformer) else { return }
    if entries.count == Self.maximum { entries.removeFirst() }
    entries.append((key, output))
  }

  private static func key(_ reformer: some Reformer) -> AnyHashable? {
    (reformer as? any Hashable).map { AnyHashable($0) }
  }
}

/// A manager that keeps the outputs of reformers until its last response changes.
@MainActor protocol ReformingOnce: AnyObject {
  var reformedValues: ReformedValues { get set }
}
