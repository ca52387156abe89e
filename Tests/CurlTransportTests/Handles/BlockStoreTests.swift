import CCurlShims
import Foundation
import SwitchyardTesting
import Testing

@testable import CurlTransport

/// Each test runs on a thread of its own: a store belongs to its thread.
@Suite(.timeLimit(.minutes(5)))
struct BlockStoreTests {
  /// Runs `work` on a new thread and waits for what it returns.
  private func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      let hasStarted = LoopThread.start { continuation.resume(returning: work()) }
      precondition(hasStarted)
    }
  }

  @Test(
    "A freed block is reused for its size",
    arguments: [0, 1, 16, 17, 1_024, 1_025, 16_384, 16_385, 131_105, 262_144])
  func reuse(_ size: Int) async {
    let isSame = await onThread {
      BlockStore.open()
      defer { BlockStore.close() }
      let first = unsafe switchyard_block_take(size)
      unsafe switchyard_block_give_back(first)
      let second = unsafe switchyard_block_take(size)
      unsafe switchyard_block_give_back(second)
      return unsafe first != nil && first == second
    }
    #expect(isSame)
  }

  @Test("A block that is too large to be kept is freed at once")
  func large() async {
    let kept = await onThread {
      BlockStore.open()
      defer { BlockStore.close() }
      unsafe switchyard_block_give_back(switchyard_block_take(262_145))
      return switchyard_block_store_kept()
    }
    #expect(kept == 0)
  }

  @Test("An impossible size is not allocated")
  func impossible() {
    #expect(unsafe switchyard_block_take(.max - 8) == nil)
  }

  @Test("A thread without a store keeps nothing")
  func withoutStore() async {
    let kept = await onThread {
      unsafe switchyard_block_give_back(switchyard_block_take(100))
      return switchyard_block_store_kept()
    }
    #expect(kept == 0)
  }

  @Test("A store keeps at most 32 MiB, and that of an idle thread 1 MiB")
  func bounds() async {
    let (busy, resting, closed) = await onThread {
      BlockStore.open()
      let blocks = (0..<200).map { _ in unsafe switchyard_block_take(262_144) }
      for block in unsafe blocks { unsafe switchyard_block_give_back(block) }
      let busy = switchyard_block_store_kept()
      BlockStore.trim()
      let resting = switchyard_block_store_kept()
      BlockStore.close()
      return (busy, resting, switchyard_block_store_kept())
    }
    #expect(busy == 32 << 20)
    #expect(resting == BlockStore.restingBytes)
    #expect(closed == 0)
  }

  @Test(
    "Blocks keep their bytes in any order of allocating, resizing and freeing", arguments: [UInt64(1), 2, 3])
  func random(_ seed: UInt64) async {
    let broken = await onThread {
      BlockStore.open()
      defer { BlockStore.close() }
      var random = SeededRandom(seed: seed)
      var blocks: [(UnsafeMutableRawPointer, size: Int, mark: UInt8)] = unsafe []
      var broken = 0
      func isWhole(_ block: (UnsafeMutableRawPointer, size: Int, mark: UInt8)) -> Bool {
        // Every byte equals the first one if each equals the next one.
        let bytes = unsafe UnsafeRawPointer(block.0)
        return unsafe bytes.load(as: UInt8.self) == block.mark
          && memcmp(bytes, bytes + 1, block.size - 1) == 0
      }
      for _ in 0..<20_000 {
        let size = Int(random.next() % (random.next() % 8 == 0 ? 40_000 : 1_200)) + 1
        let mark = UInt8(truncatingIfNeeded: random.next())
        if unsafe blocks.count < 100, random.next() % 2 == 0, let block = unsafe switchyard_block_take(size) {
          unsafe block.initializeMemory(as: UInt8.self, repeating: mark, count: size)
          unsafe blocks.append((block, size, mark))
        } else if unsafe !blocks.isEmpty {
          let index = unsafe Int(random.next() % UInt64(blocks.count))
          let old = unsafe blocks.remove(at: index)
          if unsafe !isWhole(old) { broken += 1 }
          guard random.next() % 3 == 0, let block = unsafe switchyard_block_resize(old.0, size) else {
            unsafe switchyard_block_give_back(old.0)
            continue
          }
          if unsafe !isWhole((block, min(old.size, size), old.mark)) { broken += 1 }
          unsafe block.initializeMemory(as: UInt8.self, repeating: mark, count: size)
          unsafe blocks.append((block, size, mark))
        }
      }
      unsafe blocks.forEach { unsafe switchyard_block_give_back($0.0) }
      return broken
    }
    #expect(broken == 0)
  }

  @Test("A block may be freed by a thread with a store or without one, wherever it was allocated")
  func threads() async {
    let taken = await onThread {
      BlockStore.open()
      defer { BlockStore.close() }
      return unsafe UInt(bitPattern: switchyard_block_take(4_000))
    }
    let there = await onThread {
      unsafe switchyard_block_give_back(UnsafeMutableRawPointer(bitPattern: taken))
      return unsafe UInt(bitPattern: switchyard_block_take(4_000))
    }
    let kept = await onThread {
      BlockStore.open()
      defer { BlockStore.close() }
      unsafe switchyard_block_give_back(UnsafeMutableRawPointer(bitPattern: there))
      return switchyard_block_store_kept()
    }
    #expect(kept == 4_096)
  }
}
