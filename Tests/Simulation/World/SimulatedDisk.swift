import HTTPTypes
import Interception
import ResponseCaching
import SwitchyardTesting

/// A store as slow as a disk, whose content survives the app's restart.
final class SimulatedDisk: ResponseStore, @unchecked Sendable {
  private unowned let world: World
  private let content = MemoryStore()
  private var random: SeededRandom

  init(_ world: World) {
    self.world = world
    random = SeededRandom(seed: world.plan.seed ^ 0xD15C)
  }

  private func wait() async {
    await world.clock.pause(for: .microseconds(Int.random(in: 100...8_000, using: &random)))
  }

  func response(for key: CacheKey, requestFields: HTTPFields) async -> StoredResponse? {
    await wait()
    let response = await content.response(for: key, requestFields: requestFields)
    await wait()
    return response
  }

  func lookup(_ key: CacheKey, requestFields: HTTPFields) async -> StoreLookup {
    await wait()
    let found = await content.lookup(key, requestFields: requestFields)
    await wait()
    return found
  }

  func store(_ response: StoredResponse, requestFields: HTTPFields, at now: CacheInstant) async -> Bool {
    await wait()
    // As bytes, which have no time of the process's own clock.
    guard let written = StoredResponse(encoded: response.encoded()) else { return false }
    let isStored = await content.store(written, requestFields: requestFields, at: now)
    await wait()
    return isStored
  }

  func remove(_ selection: CacheSelection) async -> Int {
    await wait()
    let count = await content.remove(selection)
    await wait()
    return count
  }
}
