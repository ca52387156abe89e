extension RouteTableReview {
  /// Checks that the properties of a route that decodes itself agree with the placeholders of its patterns.
  mutating func checkProperties(of route: RouteDeclaration) {
    guard let read = route.probe else { return }
    // An alias repeats the faults of the route's own pattern.
    var known: Set<PropertyFault> = []
    for pattern in route.patterns where pattern.fault == nil && !route.readAliases.contains(pattern) {
      for fault in PropertyFault.all(in: pattern, read) where known.insert(fault).inserted {
        faults.append(
          .property(
            route.place(of: pattern), property: fault.property, placeholder: fault.placeholder,
            problem: fault.problem))
      }
    }
  }
}
