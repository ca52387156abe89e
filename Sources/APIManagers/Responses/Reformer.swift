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
