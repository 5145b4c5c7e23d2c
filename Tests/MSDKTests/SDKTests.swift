import TestSupport
import Testing

/// Tests that need the running session, of which a process has one: no two of them run at the same time.
@Suite(.serialized, .theAgent) struct SDKTests {}
