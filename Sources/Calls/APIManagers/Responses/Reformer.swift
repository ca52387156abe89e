import BodyFormats
import Interception

/// A type that converts raw data into what a view shows.
///
/// Write a reformer for data that is presented: as a list item, a text, a map pin. One reformer can serve
/// several similar APIs whose fields have different names, and several reformers can convert the same
/// response. The manager's identity tells the APIs apart. For data that needs no further conversion, use
/// ``JSONReformer``, or an API with an ``API/Output``. ``map(_:)`` converts its output further.
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
  /// Returns a reformer that converts the output of this one further; the closure may throw any error.
  ///
  /// ```swift
  /// let cheapest = ListItems().map { items in items.min { $0.price < $1.price } }
  /// ```
  public func map<Value>(
    _ transform: @escaping (Output) throws -> Value
  ) -> some Reformer<Value> {
    MappedReformer(first: self, transform: transform)
  }
}

/// A reformer followed by a further conversion.
private struct MappedReformer<First: Reformer, Output>: Reformer {
  let first: First
  let transform: (First.Output) throws -> Output

  func reform(_ response: APIResponse, from manager: ManagerIdentity) throws -> Output {
    try transform(try first.reform(response, from: manager))
  }
}

/// The outputs of the reformers that have converted a manager's last response, by reformer.
///
/// A reformer that isn't `Hashable` can't be recognized, so its output is not kept.
struct ReformedValues {
  static let maximum = 8

  private var entries: [(reformer: AnyHashable, output: Any)] = []

  func output<R: Reformer>(of reformer: R) -> R.Output? {
    // The entry is unwrapped before the cast, because nil can be cast to an optional output.
    guard !entries.isEmpty, let key = Self.key(reformer),
      let entry = entries.first(where: { $0.reformer == key })
    else { return nil }
    return entry.output as? R.Output
  }

  mutating func keep<R: Reformer>(_ output: R.Output, of reformer: R) {
    guard let key = Self.key(reformer) else { return }
    if entries.count == Self.maximum { entries.removeFirst() }
    entries.append((key, output))
  }

  private static func key(_ reformer: some Reformer) -> AnyHashable? {
    (reformer as? any Hashable).map { AnyHashable($0) }
  }
}
