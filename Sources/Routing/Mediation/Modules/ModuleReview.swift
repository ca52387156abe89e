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
  private var faults: [RouteTableIssue.Fault] = []
  /// The index of the module that declares each route.
  private var routes: [ObjectIdentifier: Int] = [:]
  /// The providers, each with the index of its module.
  private var providers: [ObjectIdentifier: (module: Int, entry: LazyObjectEntry)] = [:]

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
  mutating func finish(_ environment: RouteEnvironment) -> (
    faults: [RouteTableIssue.Fault], registry: ModuleRegistry
  ) {
    for index in declared.indices { collect(from: index) }
    var edges: [ModuleOrder.Edge] = []
    for (index, item) in declared.enumerated() {
      for contribution in item.table.contributions {
        for key in contribution.needs where !environment.holds(key) {
          faults.append(
            .unmetNeed(contribution.place, need: String(describing: key), remedy: key.remedy))
        }
      }
      for need in item.module.needs {
        let owner: Int?
        if case .environment(let key) = need.subject {
          owner = environment.holds(key) ? index : nil
        } else {
          owner = self.owner(of: need)
        }
        guard let owner else {
          faults.append(.unmetModuleNeed(module: item.module.name, need: need.name, remedy: need.remedy))
          continue
        }
        if need.isOrdered {
          edges.append(ModuleOrder.Edge(needing: index, needed: owner, what: need.name))
        }
      }
    }
    let order = ModuleOrder(count: declared.count, edges: edges)
    for cycle in order.cycles {
      faults.append(
        .needCycle(
          cycle.map { edge in
            "\(declared[edge.needing].module.name) needs \(edge.what) of \(declared[edge.needed].module.name)"
          }))
    }
    let modules = order.order.map { index in
      let item = declared[index]
      return ModuleRegistry.Entry(
        name: item.module.name, table: item.table, declaringTime: item.time,
        needs: item.module.needs.map { need in
          ModuleDescription.Need(name: need.name, module: owner(of: need).map { declared[$0].module.name })
        })
    }
    return (faults, ModuleRegistry(modules: modules, providers: providers.mapValues(\.entry)))
  }

  /// Records the routes and providers of a module, and the faults in its table.
  private mutating func collect(from index: Int) {
    let table = declared[index].table
    for route in table.declarations where routes[route.type] == nil { routes[route.type] = index }
    var named: [String: LazyObjectEntry] = [:]
    for object in table.objects {
      if let type = object.provided {
        if let first = providers[type] {
          faults.append(.redeclared(first.entry.place, object.place))
          continue
        }
        providers[type] = (index, object)
      }
      // A route that is declared twice is a fault already.
      if let first = named.updateValue(object, forKey: object.name), first.role != object.role {
        faults.append(.objectName(first.place, object.place))
      }
    }
    for (first, second) in zip(table.moduleFallbacks, table.moduleFallbacks.dropFirst()) {
      faults.append(.redeclared(first.place, second.place))
    }
    faults += table.aliases.map { RouteTableIssue.Fault.strayAlias($0.place) }
  }

  /// Returns the module that meets a need; nil if none does, or if the environment does.
  private func owner(of need: ModuleNeed) -> Int? {
    switch need.subject {
    case .provider(let type): providers[type]?.module
    case .route(let type): routes[type]
    case .environment: nil
    }
  }
}

extension ModuleNeed {
  /// What to do if the need is not met, as a clause.
  fileprivate var remedy: String {
    switch subject {
    case .provider: "list the module that provides it"
    case .route: "list the module that declares it"
    case .environment(let key): key.remedy
    }
  }
}

/// The launch order of modules: each module follows those it needs.
struct ModuleOrder: Sendable, Hashable {
  /// A need of one module for another; modules are identified by their positions in the app's list.
  struct Edge: Sendable, Hashable {
    let needing: Int
    let needed: Int
    /// The need as a phrase.
    let what: String
  }

  /// The positions in the app's list in launch order; among modules that are ready, list order decides.
  let order: [Int]
  /// The cycles of needs, each as its edges.
  let cycles: [[Edge]]

  init(count: Int, edges: [Edge]) {
    var order: [Int] = []
    var cycles: [[Edge]] = []
    var remaining = Set(0..<count)
    var needs: [Int: [Edge]] = [:]
    for edge in edges where edge.needing != edge.needed { needs[edge.needing, default: []].append(edge) }
    while let first = remaining.min() {
      func isBlocked(_ index: Int) -> Bool {
        needs[index, default: []].contains { remaining.contains($0.needed) }
      }
      if let next = remaining.sorted().first(where: { !isBlocked($0) }) {
        order.append(next)
        remaining.remove(next)
        continue
      }
      // Every remaining module needs another remaining one, so following needs leads into a cycle.
      var trail: [Edge] = []
      var current = first
      while !trail.contains(where: { $0.needing == current }),
        let edge = needs[current, default: []].first(where: { remaining.contains($0.needed) })
      {
        trail.append(edge)
        current = edge.needed
      }
      let cycle = Array(trail.drop { $0.needing != current })
      cycles.append(cycle)
      remaining.subtract(cycle.map(\.needing))
    }
    self.order = order
    self.cycles = cycles
  }
}
