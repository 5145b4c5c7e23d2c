import Foundation
import TestSupport
import Testing
import Threading

@testable import Files

/// Open files that fail, and threads that a signal interrupts meanwhile.
@Suite struct OpenFileFailureTests {
  let folder: TemporaryFolder
  var file: String { folder.path + "/file" }

  init() throws { folder = try TemporaryFolder() }

  /// Puts `other` in the place of the file at `path`, which this process has open once.
  func replaceOpenFile(_ path: String, with other: Int32) throws {
    let number = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").first {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
    }
    #expect(dup2(other, try #require(number.flatMap { Int32($0) })) >= 0)
  }

  @Test func aFileThatCannotBeReadIsAnError() throws {
    try Data("abcdefg".utf8).write(to: URL(filePath: file))
    let reader = try FileReader(path: file)
    let directory = open(folder.path, O_RDONLY)
    defer { close(directory) }
    try replaceOpenFile(file, with: directory)
    #expect(throws: FileError("read a file", code: EISDIR)) { try reader.read(1) }
  }

  @Test func aFullDiskIsAnError() throws {
    let writer = try FileWriter(creating: file)
    let full = open("/dev/full", O_WRONLY)
    defer { close(full) }
    try replaceOpenFile(file, with: full)
    #expect(throws: FileError("write a file", code: ENOSPC)) { try writer.write([1, 2, 3]) }
    #expect(throws: FileError("write a file", code: EINVAL)) { try writer.synchronize() }
  }

  /// The thread's last error is that of an earlier operation.
  @Test func anInterruptionBeforeLosesNoBytes() throws {
    try Data("abcdefg".utf8).write(to: URL(filePath: file))
    let reader = try FileReader(path: file)
    var pieces: [[UInt8]] = []
    for _ in 0..<4 {
      errno = EINTR
      pieces.append(try reader.read(3))
    }
    #expect(pieces.map { String(decoding: $0, as: UTF8.self) } == ["abc", "def", "g", ""])
    errno = EINTR
    #expect(try Files.contents(of: file, limit: 7).count == 7)
  }

  // MARK: Signals

  /// Runs `body` on a thread of its own and interrupts it a few times before `release` lets it end. Returns its error.
  func interrupting(_ body: @escaping @Sendable () throws -> Void, release: () throws -> Void) throws -> (any Error)? {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in }
    #expect(sigaction(SIGUSR1, &action, nil) == 0)
    let (started, ended, failure) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), Locked<(any Error)?>(nil)
    )
    let number = Locked<pthread_t>(0)
    Thread.detachNewThread {
      number.withLock { $0 = pthread_self() }
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGUSR1)
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      started.signal()
      do { try body() } catch { failure.withLock { $0 = error } }
      ended.signal()
      started.wait()  // the thread stays until it gets no more signals
    }
    started.wait()
    for _ in 0..<30 {
      usleep(1000)
      pthread_kill(number.withLock { $0 }, SIGUSR1)
    }
    let isEarly = ended.wait(timeout: .now()) == .success
    #expect(!isEarly)
    try release()
    if !isEarly { ended.wait() }
    started.signal()
    return failure.withLock { $0 }
  }

  func makePipe() -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    return (ends[0], ends[1])
  }

  @Test func anInterruptedReadGoesOn() throws {
    try Data().write(to: URL(filePath: file))
    let (reader, pipe, bytes) = (try FileReader(path: file), makePipe(), Locked<[UInt8]>([]))
    try replaceOpenFile(file, with: pipe.read)
    close(pipe.read)
    nonisolated(unsafe) let read = reader.read
    let failure = try interrupting {
      let read = try read(5)
      bytes.withLock { $0 = read }
    } release: {
      #expect(write(pipe.write, "hello", 5) == 5)
      close(pipe.write)
    }
    #expect(failure == nil && bytes.withLock { $0 } == Array("hello".utf8))
  }

  @Test func aFileWhoseReadingIsInterruptedIsReadWhole() throws {
    let (path, bytes) = (file, Locked<[UInt8]>([]))
    #expect(mkfifo(path, 0o600) == 0)
    let end = open(path, O_RDWR)
    let failure = try interrupting {
      let contents = try Files.contents(of: path, limit: 5)
      bytes.withLock { $0 = contents }
    } release: {
      #expect(write(end, "hello", 5) == 5)
      close(end)
    }
    #expect(failure == nil && bytes.withLock { $0 } == Array("hello".utf8))
  }

  @Test func anInterruptedWriteGoesOn() throws {
    let (writer, pipe, count) = (try FileWriter(creating: file), makePipe(), 200_000)
    try replaceOpenFile(file, with: pipe.write)
    close(pipe.write)
    nonisolated(unsafe) let write = writer.write
    var read: [UInt8] = []
    let failure = try interrupting {
      try write((0..<count).map { UInt8(truncatingIfNeeded: $0) })
    } release: {
      read =
        try FileHandle(fileDescriptor: pipe.read, closeOnDealloc: true).read(upToCount: count).map { Array($0) } ?? []
    }
    #expect(failure == nil && read == (0..<count).map { UInt8(truncatingIfNeeded: $0) })
  }

  @Test func anInterruptedWaiterWaitsForTheLock() throws {
    let (path, isHeld, isDone) = (folder.path, Locked(true), Locked(false))
    let directory = open(path, O_RDONLY | O_DIRECTORY)
    #expect(flock(directory, LOCK_EX) == 0)
    let failure = try interrupting {
      try Files.locked(path) { () throws(FileError) in
        let isHeld = isHeld.withLock { $0 }
        isDone.withLock { $0 = !isHeld }
      }
    } release: {
      isHeld.withLock { $0 = false }
      close(directory)
    }
    #expect(failure == nil && isDone.withLock { $0 })
  }
}
