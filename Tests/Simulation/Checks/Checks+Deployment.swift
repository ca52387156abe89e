import Deployment
import Interception
import SwitchyardTesting

extension Checks {
  /// A deployment document arrives.
  func receive(_ delivery: Delivery, by life: Life, using random: inout SeededRandom) {
    guard let deployed = life.deployed else { return }
    let now = world.clock.wallTime
    let second = Int(VirtualClock.start.duration(to: now).components.seconds)
    let mustAccept = world.deployment.receive(delivery, at: second)
    let isKilled = delivery.fate == .killed
    do throws(DeploymentError) {
      try deployed.receive(
        try delivery.bytes(using: &random), now: now, &world.deploymentFile, isKilled: isKilled)
      count("deployment: accepted")
      if !mustAccept { fail(.signatures, "document \(delivery.number), \(delivery.fate), is accepted") }
    } catch {
      count("deployment: refused, \(delivery.fate)")
      if mustAccept { fail(.signatures, "document \(delivery.number) is refused: \(error)") }
      written("a deployment error", "\(error)")
    }
    if !isKilled { checkDeployment(of: life) }
  }

  /// The app has what the newest authentic document says, and nothing of another.
  func checkDeployment(of life: Life) {
    guard let numbers = life.deployed?.numbers, numbers != [world.deployment.number] else { return }
    fail(
      .signatures, "the parts have the documents \(numbers.sorted()), and not \(world.deployment.number)")
  }
}
