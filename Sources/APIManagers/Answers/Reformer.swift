/// Turns raw data into what a view shows.
///
/// Write one where data becomes something to look at: a list item, a text, a map pin. One reformer can serve
/// several APIs of a kind, whose fields have different names, and several reformers can show one answer. It
/// gets the manager's identity to tell the APIs apart. For data that needs no shaping, take ``JSONReformer``.
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
  /// What a view shows.
  associatedtype Output

  /// Makes of an answer what is to be shown.
  ///
  /// Anything may be thrown; the manager reports it as ``APIFailure/Kind/malformed(field:)``. A
  /// ``MalformedAnswer`` names the field.
  func reform(_ answer: RawAnswer, from manager: ManagerIdentity) throws -> Output
}
