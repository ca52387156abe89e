public import Mediation

extension RouteTable {
  /// Declares an aspect for the screens of this module, and for no others.
  ///
  /// It stands among the app's aspects, behind those of its stage. Declare several in the order of their
  /// stages: a wrong order is a fault of the table. Screens of other modules, of the app's own fallbacks, and
  /// those shown without a route never pass it.
  ///
  /// ```swift
  /// table.aspect(WideMargins())
  /// ```
  public mutating func aspect(
    _ aspect: some ScreenAspect, file: String = #fileID, line: Int = #line
  ) {
    contribute(
      aspect, named: "Aspect \(aspect.name)", needs: [NavigatorKey.self], file: file, line: line)
  }
}

extension Mediator {
  /// The aspects that a module declares for its screens.
  func aspects(of module: String) -> [AspectMember] {
    contributions(of: module).compactMap { ($0.value as? any ScreenAspect).map { AspectMember($0) } }
  }
}
