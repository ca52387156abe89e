/// A type that converts raw data into what a view shows.
///
/// Write a reformer for data that is presented: as a list item, a text, a map pin. One reformer can serve
/// several similar APIs whose fields have different names, and several reformers can convert the same answer.
/// The manager's identity tells the APIs apart. For data that needs no further conversion, use
/// ``JSONReformer``.
///
/// ```swift
/// struct PriceTag: Reformer {
///   func reform(_ answer: RawAnswer, from manager: ManagerIdentity) throws -> String {
///     switch manager.api {
///     case HouseDetail.identity: "\(try answer.json(as: House.self).askingPrice) €"
///     case CondoDetail.identity: "\(try answer.json(as: Condo.self).price) €"
///     default: throw MalformedAnswer.unknownManager(manager)
///     }
///   }
/// }
/// ```
public protocol Reformer<Output> {
  /// The type of the converted data.
  associatedtype Output

  /// Converts an answer.
  ///
  /// It may throw any error; the manager reports it as ``APIFailure/Kind/malformed(field:)``. A
  /// ``MalformedAnswer`` names the field.
  func reform(_ answer: RawAnswer, from manager: ManagerIdentity) throws -> Output
}
