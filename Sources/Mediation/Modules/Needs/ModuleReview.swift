/// Collects the modules' declarations other than routes, and their faults.
struct ModuleReview {
  private struct Declared {
    let module: any BusinessModule
    let table: RouteTable
    let time: Duration
  }

  /// The waits among all lazy values of the mediator.
  let loads = WaitGraph()
  private let clock: any Clock<Duration>
  private var declared: [Declared] = []

  init(_ clock: any Clock<Duration>) { self.clock = clock }

  /// Calls a module's `declare(into:)` and returns its table.
  mutating func declare(_ module: any BusinessModule) -> RouteTable {
    var table = RouteTable(module: module.name, loads: loads)
    let watch = OwnTime.stopwatch(clock)
    module.declare(into: &table)
    table.attachAliases()
    declared.append(Declared(module: module, table: table, time: watch()))
    return table
  }

  /// Returns the faults and the registry.
  func finish(_ environment: RouteEnvironment) -> (faults: [RouteFault], registry: ModuleRegistry) {
    var faults: [RouteFault] = []
    var routes: [ObjectIdentifier: Int] = [:]
    var services: [ObjectIdentifier: Int] = [:]
    var entries: [ObjectIdentifier: ServiceEntry] = [:]
    var targets: [String: RoutePlace] = [:]
    for (index, item) in declared.enumerated() {
      for route in item.table.declarations where routes[route.type] == nil { routes[route.type] = index }
      for service in item.table.services {
        if let first = entries[service.type] {
          faults.append(.twice(first.place, service.place))
        } else {
          entries[service.type] = service
          services[service.type] = index
        }
      }
      for target in item.table.targets {
        if let first = targets.updateValue(target.place, forKey: target.name) {
          faults.append(.twice(first, target.place))
        }
      }
      for (first, second) in zip(item.table.moduleFallbacks, item.table.moduleFallbacks.dropFirst()) {
        faults.append(.twice(first.place, second.place))
      }
      faults += item.table.aliases.map { RouteFault.strayAlias($0.place) }
    }

    var edges: [ModuleOrder.Edge] = []
    for (index, item) in declared.enumerated() {
      for need in item.module.needs {
        let giver: Int?
        switch need.subject {
        case .service(let type): giver = services[type]
        case .route(let type): giver = routes[type]
        case .environment(let key): giver = environment.holds(key) ? index : nil
        }
        guard let giver else {
          faults.append(.unmetModuleNeed(module: item.module.name, need: need.name, remedy: need.remedy))
          continue
        }
        if need.isOrdered {
          edges.append(ModuleOrder.Edge(needing: index, needed: giver, what: need.name))
        }
      }
    }
    let order = ModuleOrder(count: declared.count, edges: edges)
    for circle in order.circles {
      faults.append(
        .needCircle(
          circle.map { edge in
            "\(declared[edge.needing].module.name) needs \(edge.what) of \(declared[edge.needed].module.name)"
          }))
    }

    let modules = order.order.map { index in
      let item = declared[index]
      return ModuleRegistry.Entry(
        name: item.module.name, table: item.table, declaringTime: item.time,
        needs: item.module.needs.map { need in
          ModuleDescription.Need(name: need.name, module: giver(of: need, routes, services))
        })
    }
    return (faults, ModuleRegistry(modules: modules, services: entries))
  }

  private func giver(
    of need: ModuleNeed, _ routes: [ObjectIdentifier: Int], _ services: [ObjectIdentifier: Int]
  ) -> String? {
    switch need.subject {
    case .service(let type): services[type].map { declared[$0].module.name }
    case .route(let type): routes[type].map { declared[$0].module.name }
    case .environment: nil
    }
  }
}

extension ModuleNeed {
  /// What to do if the need is not met, as a clause.
  fileprivate var remedy: String {
    switch subject {
    case .service: "list the module that provides it"
    case .route: "list the module that declares it"
    case .environment(let key): key.remedy
    }
  }
}
