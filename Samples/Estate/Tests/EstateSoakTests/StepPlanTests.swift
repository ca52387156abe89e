import Testing

@testable import estate_soak

@Suite("The steps of a soak")
struct StepPlanTests {
  private func steps(_ seed: UInt64, favourites: [Int] = Array(1...30)) -> [UserStep] {
    var plan = StepPlan(seed: seed, cities: ["GALT", "ELK GROVE"], homeCount: 932, favourites: favourites)
    return (0..<2_000).map { _ in plan.next() }
  }

  @Test("They follow from the seed")
  func seeds() {
    #expect(steps(1) == steps(1) && steps(1) != steps(2))
  }

  @Test("Each favourite is added once, and a network that is gone returns once")
  func turns() {
    let steps = steps(3)
    let added = steps.compactMap { if case .favourite(let home) = $0 { home } else { nil } }
    #expect(added.sorted() == Array(1...30))
    let network = steps.compactMap { if case .network(let isOnline) = $0 { isOnline } else { nil } }
    #expect(network.first == false && network.count { $0 } > 20)
    #expect(zip(network, network.dropFirst()).allSatisfy { !($0 && $1) })
    #expect(steps.allSatisfy { $0.url.map { !$0.contains(" ") } ?? true })
  }
}
